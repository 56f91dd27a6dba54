// One drawing of curves over time: axes, curves, reading line, zoom by dragging.

const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3], [4, 2]];

class Plot {
  // shared: what all drawings have in common: low, high (window of time), reading (where the pointer is), time.
  constructor(title, unit, shared) {
    this.title = title; this.unit = unit; this.shared = shared;
    this.curves = [];
    this.base = make("canvas", { tabindex: "0", role: "img", "aria-label": texts.drawing.replace("#", title) });
    this.over = make("canvas", { class: "over", "aria-hidden": "true" });
    this.chips = make("div", { class: "chips" });
    this.names = make("span", { class: "studies" });
    const tool = (text, act) => make("button", { type: "button", class: "quiet", click: act }, text);
    this.box = make("article", { class: "plot" },
      make("div", { class: "plot-head" },
        make("h3", {}, title, unit ? make("span", { class: "unit" }, unit) : null, this.names),
        make("div", { class: "tools" },
          tool(texts.showall, () => this.all(true)), tool(texts.hideall, () => this.all(false)),
          tool(texts.csv, () => this.table()))),
      make("div", { class: "sheet" }, this.base, this.over), this.chips);
    this.listen();
  }

  // curves: [{ name, study, x, y, colour, dash, on, several }]
  choose(curves) {
    this.curves = curves;
    this.names.textContent = [...new Set(curves.map((curve) => curve.study))].join(", ");
    this.chips.replaceChildren(...curves.map((curve) => {
      const swatch = make("canvas", { class: "swatch", width: 44, height: 16, "aria-hidden": "true" });
      curve.value = make("output", {});
      curve.chip = make("button", { type: "button", class: "chip", "aria-pressed": String(curve.on), click: () => {
        curve.on = !curve.on;
        curve.chip.setAttribute("aria-pressed", String(curve.on));
        this.paint();
      } }, swatch, make("span", {}, curve.name, curve.several ? make("i", {}, ` ${curve.study}`) : null), curve.value);
      curve.swatch = swatch;
      return curve.chip;
    }));
    this.paint();
  }

  all(on) {
    for (const curve of this.curves) { curve.on = on; curve.chip.setAttribute("aria-pressed", String(on)); }
    this.paint();
  }

  // Where the sheet lies on the canvas.
  frame(width, height) { return { left: 58, right: width - 24, top: 10, bottom: height - 26 }; }

  scales(width, height) {
    const { low, high } = this.shared, f = this.frame(width, height);
    let least = Infinity, most = -Infinity;
    for (const curve of this.curves.filter((each) => each.on)) {
      const from = Math.max(0, placeOf(curve.x, low)), to = Math.min(curve.x.length - 1, placeOf(curve.x, high) + 1);
      for (let k = from; k <= to; k++) {
        const y = curve.y[k];
        if (y < least) least = y;
        if (y > most) most = y;
      }
    }
    if (least > most) { least = 0; most = 1; }
    const largest = Math.max(Math.abs(least), Math.abs(most));
    let room = (most - least) * 0.06;
    // What only differs by rounding is flat.
    if (!(most - least > 1e-6 * largest)) room = largest ? largest * 0.05 : 1;
    least -= room; most += room;
    return {
      ...f, least, most,
      x: (t) => f.left + ((t - low) / (high - low || 1)) * (f.right - f.left),
      y: (v) => f.bottom - ((v - least) / (most - least)) * (f.bottom - f.top),
      t: (x) => low + ((x - f.left) / (f.right - f.left)) * (high - low),
    };
  }

  paint() {
    if (!this.base.clientWidth) return;
    const { g, width, height } = pen(this.base), s = this.scales(width, height);
    g.font = `11px ${FONT}`; g.fillStyle = ink("soft"); g.strokeStyle = ink("grid"); g.lineWidth = 1;
    const across = ticks(this.shared.low, this.shared.high, (s.right - s.left) / 90);
    const upward = ticks(s.least, s.most, (s.bottom - s.top) / 42);
    const large = Math.max(Math.abs(s.least), Math.abs(s.most)), far = large >= 1e5 || large < 1e-3;
    g.textAlign = "right"; g.textBaseline = "middle";
    for (const v of upward.at) {
      const y = Math.round(s.y(v)) + 0.5;
      g.strokeStyle = Math.abs(v) < upward.step * 1e-6 ? ink("axis") : ink("grid");
      g.beginPath(); g.moveTo(s.left, y); g.lineTo(s.right, y); g.stroke();
      g.fillText(far ? shown(Math.abs(v) < upward.step * 1e-6 ? 0 : v, 2) : fixed(v, upward.decimals), s.left - 8, y);
    }
    g.textAlign = "center"; g.textBaseline = "top";
    g.strokeStyle = ink("grid");
    across.at.forEach((t, n) => {
      const x = Math.round(s.x(t)) + 0.5;
      g.beginPath(); g.moveTo(x, s.top); g.lineTo(x, s.bottom); g.stroke();
      g.fillText(fixed(t, across.decimals) + (n === across.at.length - 1 ? " s" : ""), x, s.bottom + 7);
    });
    g.save();
    g.beginPath(); g.rect(s.left, s.top - 4, s.right - s.left, s.bottom - s.top + 8); g.clip();
    for (const curve of this.curves) if (curve.on) this.line(g, curve, s);
    g.restore();
    for (const curve of this.curves) this.paintSwatch(curve);
    this.s = s;
    this.read();
  }

  paintSwatch(curve) {
    const g = curve.swatch.getContext("2d");
    g.clearRect(0, 0, 44, 16);
    g.strokeStyle = curveColour(curve.colour); g.lineWidth = 4;
    g.setLineDash(DASHES[curve.dash % DASHES.length].map((each) => each * 2));
    g.beginPath(); g.moveTo(2, 8); g.lineTo(42, 8); g.stroke();
  }

  line(g, curve, s) {
    const { x, y } = curve, from = Math.max(0, placeOf(x, this.shared.low)), to = Math.min(x.length - 1, placeOf(x, this.shared.high) + 1);
    g.strokeStyle = curveColour(curve.colour); g.lineWidth = 1.6; g.setLineDash(DASHES[curve.dash % DASHES.length]);
    g.beginPath();
    let open = false;
    const dense = to - from > 3 * (s.right - s.left);
    for (let k = from; k <= to;) {
      if (!Number.isFinite(y[k])) { open = false; k++; continue; }
      const px = s.x(x[k]);
      if (!dense) { open ? g.lineTo(px, s.y(y[k])) : g.moveTo(px, s.y(y[k])); open = true; k++; continue; }
      // More samples than pixels: per column the way from least to greatest.
      let least = y[k], most = y[k];
      const column = Math.floor(px);
      while (k <= to && Math.floor(s.x(x[k])) === column) { least = Math.min(least, y[k]); most = Math.max(most, y[k]); k++; }
      open ? g.lineTo(px, s.y(least)) : g.moveTo(px, s.y(least));
      g.lineTo(px, s.y(most));
      open = true;
    }
    g.stroke();
    g.setLineDash([]);
  }

  // Reading line, instant of the picture above, values in the chips.
  read() {
    if (!this.s) return;
    const { g } = pen(this.over), s = this.s, { reading, time } = this.shared;
    const upright = (t, colour, dash) => {
      if (t === null || t < this.shared.low || t > this.shared.high) return;
      g.strokeStyle = colour; g.lineWidth = 1; g.setLineDash(dash);
      g.beginPath(); g.moveTo(s.x(t), s.top); g.lineTo(s.x(t), s.bottom); g.stroke(); g.setLineDash([]);
    };
    if (!printing) upright(time, ink("output"), []);
    upright(reading, ink("ink"), [3, 3]);
    const at = reading ?? time;
    for (const curve of this.curves) {
      const value = at === null || !curve.on ? NaN : valueAt(curve, at);
      curve.value.textContent = Number.isFinite(value) ? shown(value) : "";
      if (reading !== null && Number.isFinite(value)) {
        g.fillStyle = curveColour(curve.colour);
        g.beginPath(); g.arc(s.x(reading), s.y(value), 3, 0, 2 * Math.PI); g.fill();
      }
    }
    if (reading !== null) {
      const text = `${shown(reading)} s`, x = s.x(reading);
      g.font = `11px ${FONT}`;
      const w = g.measureText(text).width + 12, left = Math.min(s.right - w, Math.max(s.left, x - w / 2));
      g.fillStyle = ink("ink"); g.beginPath(); g.roundRect(left, s.bottom + 4, w, 18, 4); g.fill();
      g.fillStyle = ink("page"); g.textAlign = "center"; g.textBaseline = "middle"; g.fillText(text, left + w / 2, s.bottom + 13.5);
    }
    if (this.pull) {
      const [a, b] = this.pull;
      g.fillStyle = ink("accent"); g.globalAlpha = 0.14; g.fillRect(Math.min(a, b), s.top, Math.abs(b - a), s.bottom - s.top); g.globalAlpha = 1;
    }
  }

  listen() {
    const here = (event) => {
      const box = this.base.getBoundingClientRect();
      return Math.min(this.s.right, Math.max(this.s.left, event.clientX - box.left));
    };
    const { shared } = this;
    watchPointers(this.base, {
      start: (event) => { if (!event.shiftKey) this.pull = [here(event), here(event)]; },
      hover: (event) => { shared.reading = this.s.t(here(event)); shared.read(); },
      drag: (dx, dy, event) => {
        if (this.pull) { this.pull[1] = here(event); this.read(); return; }
        const by = (-dx / (this.s.right - this.s.left)) * (shared.high - shared.low);
        shared.window(shared.low + by, shared.high + by);
      },
      end: (event) => {
        if (!this.pull) return;
        const [a, b] = this.pull.map((x) => this.s.t(x));
        const far = Math.abs(this.pull[0] - this.pull[1]) > 6;
        this.pull = null;
        if (far) shared.window(Math.min(a, b), Math.max(a, b));
        else if (event.type === "pointerup") { shared.jump(b); this.read(); }
      },
      wheel: (factor, x) => this.zoom(factor, this.s.t(x)),
      pinch: (factor, x) => { this.pull = null; this.zoom(factor, this.s.t(x)); },
    });
    this.base.addEventListener("pointerleave", () => { shared.reading = null; shared.read(); });
    this.base.addEventListener("dblclick", () => shared.window(-Infinity, Infinity));
    this.base.addEventListener("keydown", (event) => {
      const span = shared.high - shared.low, step = span * (event.shiftKey ? 0.1 : 0.01);
      const at = shared.reading ?? (shared.low + shared.high) / 2;
      if (event.key === "ArrowLeft") shared.reading = Math.max(shared.low, at - step);
      else if (event.key === "ArrowRight") shared.reading = Math.min(shared.high, at + step);
      else if (event.key === "+" || event.key === "=") { this.zoom(1.5, at); event.preventDefault(); return; }
      else if (event.key === "-") { this.zoom(1 / 1.5, at); event.preventDefault(); return; }
      else if (event.key === "0" || event.key === "Home") { shared.window(-Infinity, Infinity); event.preventDefault(); return; }
      else if (event.key === "Enter") { shared.jump(at); return; }
      else return;
      event.preventDefault();
      shared.read();
    });
    this.base.addEventListener("blur", () => { shared.reading = null; shared.read(); });
  }

  zoom(factor, about) {
    const { low, high } = this.shared;
    this.shared.window(about - (about - low) / factor, about + (high - about) / factor);
  }

  // The curves that are shown, as a table of this window.
  table() {
    const on = this.curves.filter((curve) => curve.on);
    if (!on.length) return;
    const times = [...new Set(on.flatMap((curve) => [...curve.x]))].sort((a, b) => a - b)
      .filter((t) => t >= this.shared.low && t <= this.shared.high);
    const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
    const head = ["time [s]", ...on.map((curve) => `${curve.name} ${curve.study} [${this.unit || "1"}]`)].map(quoted);
    const rows = times.map((t) => [t, ...on.map((curve) => valueAt(curve, t))].join(","));
    save(`${this.title.replace(/[^\p{L}\p{N}]+/gu, "_")}.csv`, "text/csv", [head.join(","), ...rows].join("\n") + "\n");
  }
}

// Value of a curve between its samples.
function valueAt(curve, t) {
  const { x, y } = curve, k = placeOf(x, t);
  if (t < x[0] || t > x[x.length - 1]) return NaN;
  if (k === x.length - 1) return y[k];
  return y[k] + ((t - x[k]) / (x[k + 1] - x[k] || 1)) * (y[k + 1] - y[k]);
}
