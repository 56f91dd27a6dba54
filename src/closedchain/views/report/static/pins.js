// Pins in their bores, magnified: clearance circle, orbit of the pin's centre, contact force.

class Pins {
  constructor(place) {
    this.place = place;
    this.list = [];
    this.draw = once(() => this.paint());
    drawers.push(() => this.paint());
  }

  choose(motion) {
    this.list = motion.pins.map((pin) => ({
      ...pin, t: floats(pin.t), x: floats(pin.x), y: floats(pin.y), fx: floats(pin.fx), fy: floats(pin.fy),
      canvas: make("canvas", { role: "img", "aria-label": pin.joint }),
    }));
    const radius = (pin) => (pin.radial >= 1e-4 ? `${shown(pin.radial * 1e3, 2)} mm` : `${shown(pin.radial * 1e6, 2)} µm`);
    this.place.replaceChildren(
      ...this.list.map((pin) => make("figure", {}, pin.canvas,
        make("figcaption", {}, make("b", {}, pin.joint), ` ${texts.clearance} ${radius(pin)}`)))
    );
    this.place.hidden = !this.list.length;
    this.draw();
  }

  at(time) { this.time = time; this.draw(); }

  paint() {
    for (const pin of this.list) {
      if (!pin.canvas.clientWidth) continue;
      const { g, width, height } = pen(pin.canvas), cx = width / 2, cy = height / 2;
      const reach = Math.max(pin.radial, ...[pin.x, pin.y].map((each) => each.reduce((m, v) => Math.max(m, Math.abs(v)), 0)));
      const scale = (Math.min(width, height) / 2 - 12) / reach, k = placeOf(pin.t, this.time ?? 0);
      g.strokeStyle = ink("soft"); g.lineWidth = 1.2;
      g.beginPath(); g.arc(cx, cy, pin.radial * scale, 0, 2 * Math.PI); g.stroke();
      g.strokeStyle = ink("rule"); g.lineWidth = 1;
      g.beginPath(); g.moveTo(cx - 5, cy); g.lineTo(cx + 5, cy); g.moveTo(cx, cy - 5); g.lineTo(cx, cy + 5); g.stroke();
      const draw = (from, to) => {
        g.beginPath();
        for (let n = from; n <= to; n++) g.lineTo(cx + scale * pin.x[n], cy - scale * pin.y[n]);
        g.stroke();
      };
      g.strokeStyle = ink("curve-1"); g.lineWidth = 1;
      g.globalAlpha = 0.25; draw(0, pin.x.length - 1);
      g.globalAlpha = 1; draw(Math.max(0, k - 60), k);
      const x = cx + scale * pin.x[k], y = cy - scale * pin.y[k];
      if (pin.largest > 0) {
        const long = (0.75 * Math.min(width, height)) / pin.largest;
        arrow(g, x, y, x + long * pin.fx[k], y - long * pin.fy[k], ink("force"));
      }
      g.fillStyle = ink("curve-1");
      g.beginPath(); g.arc(x, y, 3.5, 0, 2 * Math.PI); g.fill();
    }
  }
}
