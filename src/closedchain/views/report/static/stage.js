// The mechanism in motion: places of the bodies between two frames, seen in the plane or from a direction in space.

const HOME = { turn: -60, lift: 22, zoom: 1, x: 0, y: 0 };

const along = (axis, p) => axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2];

class Stage {
  constructor(canvas, hint) {
    this.canvas = canvas;
    this.hint = hint;
    this.show = { names: true, paths: true, forces: true };
    this.view = { ...HOME };
    this.time = 0;
    this.draw = once(() => this.paint());
    this.listen();
    drawers.push(() => this.paint());
  }

  choose(motion) {
    const planarBefore = this.frames?.planar;
    this.motion = motion;
    this.frames = motion.frames;
    const f = this.frames;
    const joints = new Set(f.parts.filter((part) => part.role === "joint").map((part) => part.name));
    if (planarBefore === undefined) this.show.names = joints.size <= 12;
    this.start = f.times[0];
    this.end = f.times[f.times.length - 1];
    this.time = Math.min(Math.max(this.time, this.start), this.end);
    this.draw();
  }

  // Number of the frame before the time, and how far it is to the next one.
  between() {
    const t = this.frames.times, k = Math.min(placeOf(t, this.time), Math.max(0, t.length - 2));
    const span = t.length > 1 ? t[k + 1] - t[k] : 1;
    return [k, t.length > 1 && span > 0 ? Math.min(1, Math.max(0, (this.time - t[k]) / span)) : 0];
  }

  // Where a body stands: a function from its points to ground axes.
  place(body, k, u) {
    const f = this.frames, a = f.places[k][body], b = f.places[Math.min(k + 1, f.places.length - 1)][body];
    const mix = (i) => a[i] + u * (b[i] - a[i]);
    if (f.planar) {
      let turn = b[2] - a[2];
      turn -= 2 * Math.PI * Math.round(turn / (2 * Math.PI));
      const angle = a[2] + u * turn, c = Math.cos(angle), s = Math.sin(angle), x = mix(0), y = mix(1);
      return (p) => [x + c * p[0] - s * p[1], y + s * p[0] + c * p[1], 0];
    }
    const sign = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6] < 0 ? -1 : 1;
    let [w, i, j, l] = [3, 4, 5, 6].map((n) => a[n] + u * (sign * b[n] - a[n]));
    const norm = Math.hypot(w, i, j, l) || 1;
    w /= norm; i /= norm; j /= norm; l /= norm;
    const o = [mix(0), mix(1), mix(2)];
    const R = [
      [1 - 2 * (j * j + l * l), 2 * (i * j - w * l), 2 * (i * l + w * j)],
      [2 * (i * j + w * l), 1 - 2 * (i * i + l * l), 2 * (j * l - w * i)],
      [2 * (i * l - w * j), 2 * (j * l + w * i), 1 - 2 * (i * i + j * j)],
    ];
    return (p) => R.map((row, n) => o[n] + row[0] * p[0] + row[1] * p[1] + row[2] * p[2]);
  }

  // From ground axes to the picture: x, y in pixels, depth towards the reader.
  camera(width, height) {
    const f = this.frames, v = this.view, [low, high] = f.bounds, margin = 34;
    const middle = low.map((each, k) => (each + high[k]) / 2);
    if (f.planar) {
      const fit = Math.min((width - 2 * margin) / (high[0] - low[0] || f.size), (height - 2 * margin) / (high[1] - low[1] || f.size));
      const scale = fit * v.zoom;
      const to = (p) => [width / 2 + v.x + scale * (p[0] - middle[0]), height / 2 + v.y - scale * (p[1] - middle[1]), 0];
      return { to, scale };
    }
    const a = (v.turn * Math.PI) / 180, e = (v.lift * Math.PI) / 180;
    const right = [-Math.sin(a), Math.cos(a), 0];
    const up = [-Math.sin(e) * Math.cos(a), -Math.sin(e) * Math.sin(a), Math.cos(e)];
    const near = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
    const { centre, wide, tall } = this.extent();
    const scale = Math.min((width - 2 * margin) / wide, (height - 2 * margin) / tall) * v.zoom;
    const to = (p) => {
      const d = p.map((each, k) => each - centre[k]);
      return [width / 2 + v.x + scale * along(right, d), height / 2 + v.y - scale * along(up, d), along(near, d)];
    };
    return { to, scale, right, up };
  }

  // How wide and tall everything in any frame is from the first direction, and its middle: the size stays while it turns.
  extent() {
    const f = this.frames;
    if (this.measured?.frames === f) return this.measured;
    const a = (HOME.turn * Math.PI) / 180, e = (HOME.lift * Math.PI) / 180;
    const right = [-Math.sin(a), Math.cos(a), 0], up = [-Math.sin(e) * Math.cos(a), -Math.sin(e) * Math.sin(a), Math.cos(e)];
    const near = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const see = (p) => [right, up, near].forEach((axis, n) => {
      const x = along(axis, p);
      low[n] = Math.min(low[n], x); high[n] = Math.max(high[n], x);
    });
    const step = Math.max(1, Math.floor(f.times.length / 12));
    for (let k = 0; k < f.times.length; k += step) {
      const places = f.bodies.map((_, body) => this.place(body, k, 0));
      for (const part of f.parts) (part.frames ? part.frames[k] : part.points.map(places[part.body])).forEach(see);
      for (const path of Object.values(f.outputs)) see(path[k]);
    }
    const middle = low.map((each, n) => (each + high[n]) / 2);
    const centre = [0, 1, 2].map((k) => middle[0] * right[k] + middle[1] * up[k] + middle[2] * near[k]);
    this.measured = { frames: f, centre, wide: high[0] - low[0] || f.size, tall: high[1] - low[1] || f.size };
    return this.measured;
  }

  paint() {
    const f = this.frames;
    if (!f || !this.canvas.clientWidth) return;
    const { g, width, height } = pen(this.canvas), camera = this.camera(width, height), [k, u] = this.between();
    const paper = ink("stage"), line = ink("ink"), grey = ink("soft");
    const dark = isDark(), fixedColours = { paper, "#202020": line, "#6b6b6b": grey };
    const colour = (name) => fixedColours[name.toLowerCase()] ?? (dark ? lighter(name) : name);
    const places = f.bodies.map((_, body) => this.place(body, k, u));
    const drawn = f.parts.map((part) => {
      const points = part.frames ? part.frames[k].map((p) => (p.length < 3 ? [...p, 0] : p)) : part.points.map(places[part.body]);
      const seen = points.map(camera.to);
      // What lies nearer is drawn later; what belongs on top of its neighbour gets a small lead.
      const depth = seen.reduce((sum, p) => sum + p[2], 0) / seen.length;
      return { part, seen, order: f.planar ? part.level : (part.role === "ground" ? -1e9 : depth) + (part.role === "joint" ? 0.05 : 0) * f.size + part.level * 1e-5 * f.size };
    });
    drawn.sort((a, b) => a.order - b.order);
    let paths = !this.show.paths;
    const trace = () => { if (!paths) { paths = true; this.tracePaths(g, camera, k, u); } };
    for (const { part, seen } of drawn) {
      if (part.role !== "ground" && (!f.planar || part.level >= 40)) trace();
      this.stroke(g, part, seen, colour, paper);
    }
    trace();
    if (this.show.forces) this.arrows(g, camera, k, u);
    this.outputs(g, camera, k, u);
    if (this.show.names) this.labels(g, camera, places, k, paper, line);
    this.scaleBar(g, camera, width, height, grey);
  }

  stroke(g, part, seen, colour, paper) {
    if (part.kind === "dot") {
      const [x, y] = seen[0];
      for (const [radius, fill] of [[4.6, paper], [1.6, colour(part.colour)]]) {
        g.beginPath(); g.arc(x, y, radius, 0, 2 * Math.PI);
        g.fillStyle = fill; g.fill();
        g.strokeStyle = colour(part.colour); g.lineWidth = 1.2; g.stroke();
      }
      return;
    }
    g.beginPath();
    seen.forEach(([x, y], n) => (n ? g.lineTo(x, y) : g.moveTo(x, y)));
    if (part.kind === "area") g.closePath();
    g.lineCap = "round";
    if (part.fill) {
      g.fillStyle = colour(part.fill);
      g.globalAlpha = part.role === "link" ? 0.18 : 1;
      g.fill();
      g.globalAlpha = 1;
    } else if (part.role === "link") {
      g.strokeStyle = paper; g.lineWidth = 8; g.stroke();
    }
    g.strokeStyle = colour(part.colour);
    g.lineWidth = part.role === "link" ? (part.fill ? 1.8 : 4) : part.thin ? 0.9 : this.frames.planar || !part.fill ? 1.3 : 0.7;
    g.stroke();
  }

  tracePaths(g, camera, k, u) {
    for (const path of Object.values(this.frames.outputs)) {
      const seen = path.map((p) => camera.to(p.length < 3 ? [...p, 0] : p));
      g.strokeStyle = ink("output"); g.lineWidth = 1.3;
      g.globalAlpha = 0.35; g.setLineDash([3, 4]);
      g.beginPath(); seen.forEach(([x, y], n) => (n ? g.lineTo(x, y) : g.moveTo(x, y))); g.stroke();
      g.globalAlpha = 1; g.setLineDash([]);
      const now = this.mixed(path, k, u, camera);
      g.beginPath(); seen.slice(0, k + 1).forEach(([x, y], n) => (n ? g.lineTo(x, y) : g.moveTo(x, y)));
      g.lineTo(now[0], now[1]); g.stroke();
    }
  }

  mixed(path, k, u, camera) {
    const a = path[k], b = path[Math.min(k + 1, path.length - 1)];
    const p = a.map((each, n) => each + u * (b[n] - each));
    return camera.to(p.length < 3 ? [...p, 0] : p);
  }

  outputs(g, camera, k, u) {
    g.font = `600 12px ${FONT}`; g.textBaseline = "bottom"; g.textAlign = "left";
    for (const [name, path] of Object.entries(this.frames.outputs)) {
      const [x, y] = this.mixed(path, k, u, camera);
      g.fillStyle = ink("output");
      g.beginPath(); g.arc(x, y, 3.4, 0, 2 * Math.PI); g.fill();
      this.word(g, name, x + 8, y - 6, ink("output"));
    }
  }

  word(g, text, x, y, colour) {
    const short = text.length > 24 ? `${text.slice(0, 23)}…` : text;
    g.strokeStyle = ink("stage"); g.lineWidth = 3; g.strokeText(short, x, y);
    g.fillStyle = colour; g.fillText(short, x, y);
  }

  labels(g, camera, places, k, paper, line) {
    const taken = Object.values(this.frames.outputs).map((path) => camera.to([...path[k], 0].slice(0, 3)));
    const seen = new Map();
    for (const part of this.frames.parts) {
      if (part.role !== "joint" || seen.has(part.name)) continue;
      const points = part.frames ? part.frames[k].map((p) => [...p, 0].slice(0, 3)) : part.points.map(places[part.body]);
      const middle = [0, 1, 2].map((n) => points.reduce((sum, p) => sum + (p[n] || 0), 0) / points.length);
      seen.set(part.name, camera.to(middle));
    }
    g.font = `12px ${FONT}`; g.textBaseline = "top"; g.textAlign = "left";
    for (const [name, [x, y]] of seen) {
      // Joints that coincide share the place: the later names go below.
      let down = 7;
      while (taken.some(([a, b]) => Math.abs(a - x) < 14 && Math.abs(b - (y + down - 7)) < 10)) down += 14;
      taken.push([x, y + down - 7]);
      this.word(g, name, x + 8, y + down - 3, ink("ink"));
    }
  }

  arrows(g, camera, k, u) {
    const f = this.frames, longest = f.largest_force;
    if (!(longest > 0)) return;
    for (const { at, force } of Object.values(f.forces)) {
      const F = force[k].map((each, n) => each + u * (force[Math.min(k + 1, force.length - 1)][n] - each));
      const p = at[k], reach = (0.3 * f.size) / longest;
      const [x0, y0] = camera.to([...p, 0].slice(0, 3));
      const [x1, y1] = camera.to([...p.map((each, n) => each + reach * F[n]), 0].slice(0, 3));
      arrow(g, x0, y0, x1, y1, ink("force"));
    }
  }

  // A length on the picture that one can compare with.
  scaleBar(g, camera, width, height, grey) {
    const goal = 110 / camera.scale, unit = 10 ** Math.floor(Math.log10(goal));
    const length = [5, 2, 1].map((part) => part * unit).find((each) => each <= goal);
    const x = 16, y = height - 16, w = length * camera.scale;
    const text = length >= 1 ? `${length} m` : length >= 1e-3 ? `${Math.round(length * 1e3)} mm` : `${Math.round(length * 1e6)} µm`;
    g.strokeStyle = grey; g.fillStyle = grey; g.lineWidth = 1.2;
    g.beginPath(); g.moveTo(x, y - 4); g.lineTo(x, y); g.lineTo(x + w, y); g.lineTo(x + w, y - 4); g.stroke();
    g.font = `11px ${FONT}`; g.textAlign = "left"; g.textBaseline = "bottom"; g.fillText(text, x + 4, y - 3);
    if (!this.frames.planar) {
      const ox = width - 42, oy = height - 34;
      ["x", "y", "z"].forEach((name, n) => {
        const dx = 24 * camera.right[n], dy = -24 * camera.up[n];
        g.beginPath(); g.moveTo(ox, oy); g.lineTo(ox + dx, oy + dy); g.stroke();
        g.textAlign = "center"; g.textBaseline = "middle"; g.fillText(name, ox + 1.35 * dx, oy + 1.35 * dy);
      });
    }
  }

  reset() { this.view = { ...HOME }; this.draw(); }

  zoom(factor, x, y) {
    const v = this.view, before = v.zoom;
    v.zoom = Math.min(40, Math.max(0.25, v.zoom * factor));
    const by = v.zoom / before, cx = this.canvas.clientWidth / 2, cy = this.canvas.clientHeight / 2;
    v.x = (x - cx) * (1 - by) + v.x * by;
    v.y = (y - cy) * (1 - by) + v.y * by;
    this.draw();
  }

  move(dx, dy, pan) {
    const v = this.view;
    if (this.frames.planar || pan) { v.x += dx; v.y += dy; }
    else { v.turn -= dx * 0.4; v.lift = Math.min(90, Math.max(-90, v.lift + dy * 0.4)); }
    this.draw();
  }

  listen() {
    const c = this.canvas;
    watchPointers(c, {
      drag: (dx, dy, event) => this.move(dx, dy, event.shiftKey || event.button === 2),
      pinch: (factor, x, y) => this.zoom(factor, x, y),
      wheel: (factor, x, y) => this.zoom(factor, x, y),
      refused: () => {
        this.hint.textContent = texts.wheel;
        clearTimeout(this.hiding);
        this.hiding = setTimeout(() => { this.hint.textContent = ""; }, 1800);
      },
    });
    c.addEventListener("dblclick", () => this.reset());
    c.addEventListener("keydown", (event) => {
      const [x, y] = [c.clientWidth / 2, c.clientHeight / 2];
      const moves = { ArrowLeft: [-20, 0], ArrowRight: [20, 0], ArrowUp: [0, -20], ArrowDown: [0, 20] };
      if (moves[event.key]) this.move(...moves[event.key], event.shiftKey);
      else if (event.key === "+" || event.key === "=") this.zoom(1.25, x, y);
      else if (event.key === "-") this.zoom(0.8, x, y);
      else if (event.key === "0" || event.key === "Home") this.reset();
      else return;
      event.preventDefault();
    });
  }
}

function arrow(g, x0, y0, x1, y1, colour) {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 2) return;
  const head = Math.min(9, length * 0.6), ux = (x1 - x0) / length, uy = (y1 - y0) / length;
  g.strokeStyle = colour; g.fillStyle = colour; g.lineWidth = 2; g.lineCap = "butt";
  g.beginPath(); g.moveTo(x0, y0); g.lineTo(x1 - ux * head * 0.8, y1 - uy * head * 0.8); g.stroke();
  g.beginPath(); g.moveTo(x1, y1);
  g.lineTo(x1 - ux * head - uy * head * 0.42, y1 - uy * head + ux * head * 0.42);
  g.lineTo(x1 - ux * head + uy * head * 0.42, y1 - uy * head - ux * head * 0.42);
  g.closePath(); g.fill();
}

// Drags, pinches and wheel of one canvas; the wheel alone scrolls the page until the canvas has been clicked.
function watchPointers(canvas, act) {
  const down = new Map();
  let spread = 0;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, event);
    act.start?.(event);
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before) { act.hover?.(event); return; }
    down.set(event.pointerId, event);
    if (down.size === 1) { act.drag?.(event.clientX - before.clientX, event.clientY - before.clientY, event); return; }
    const [a, b] = [...down.values()], now = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    const box = canvas.getBoundingClientRect();
    if (spread) act.pinch?.(now / spread, (a.clientX + b.clientX) / 2 - box.left, (a.clientY + b.clientY) / 2 - box.top);
    spread = now;
  });
  for (const name of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(name, (event) => {
      if (down.delete(event.pointerId)) act.end?.(event);
      spread = 0;
    });
  }
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) { act.refused?.(); return; }
    event.preventDefault();
    act.wheel?.(Math.exp(-Math.sign(event.deltaY) * Math.min(60, Math.abs(event.deltaY)) * 0.004), event.offsetX, event.offsetY);
  }, { passive: false });
}
