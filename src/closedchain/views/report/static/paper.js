// Drawings for paper: a pen with the words of a canvas' that makes SVG, so that print stays sharp at any size.

const SVG = "http://www.w3.org/2000/svg";

function svg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, value);
  return element;
}

const rounded = (value) => Math.round(value * 100) / 100;

class PaperPen {
  constructor(sheet) {
    this.sheet = sheet;
    this.into = sheet;
    this.kept = [];
    this.path = "";
    this.dash = [];
    Object.assign(this, {
      fillStyle: "#000", strokeStyle: "#000", lineWidth: 1, globalAlpha: 1, lineCap: "butt", font: "", textAlign: "left", textBaseline: "alphabetic",
    });
  }

  beginPath() { this.path = ""; }
  moveTo(x, y) { this.path += `M${rounded(x)} ${rounded(y)}`; }
  lineTo(x, y) { this.path += `${this.path ? "L" : "M"}${rounded(x)} ${rounded(y)}`; }
  closePath() { this.path += "Z"; }
  rect(x, y, w, h) { this.path += `M${rounded(x)} ${rounded(y)}h${rounded(w)}v${rounded(h)}h${rounded(-w)}Z`; }
  roundRect(x, y, w, h) { this.rect(x, y, w, h); }
  fillRect(x, y, w, h) { this.beginPath(); this.rect(x, y, w, h); this.fill(); }
  setLineDash(dash) { this.dash = dash; }
  setTransform() {}
  clearRect() {}

  // Full circles only.
  arc(x, y, r) {
    const [a, b, c] = [x - r, x + r, y].map(rounded);
    this.path += `M${a} ${c}A${rounded(r)} ${rounded(r)} 0 1 1 ${b} ${c}A${rounded(r)} ${rounded(r)} 0 1 1 ${a} ${c}`;
  }

  mark(attributes) {
    if (!this.path) return;
    this.into.append(svg("path", { d: this.path, opacity: this.globalAlpha < 1 ? this.globalAlpha : null, ...attributes }));
  }

  fill() { this.mark({ fill: this.fillStyle, stroke: "none" }); }

  stroke() {
    this.mark({
      fill: "none", stroke: this.strokeStyle, "stroke-width": this.lineWidth, "stroke-linejoin": "round",
      "stroke-linecap": this.lineCap, "stroke-dasharray": this.dash.length ? this.dash.join(" ") : null,
    });
  }

  save() { this.kept.push(this.into); }
  restore() { this.into = this.kept.pop(); }

  clip() {
    const name = `clip-${PaperPen.clips++}`, box = svg("clipPath", { id: name });
    box.append(svg("path", { d: this.path }));
    const group = svg("g", { "clip-path": `url(#${name})` });
    this.into.append(box, group);
    this.into = group;
  }

  text(text, x, y, attributes) {
    const [, weight, size] = /^(?:(\d+) )?([\d.]+)px/.exec(this.font) ?? [null, null, "12"];
    const down = { top: 0.78 * size, middle: 0.35 * size, bottom: -0.22 * size }[this.textBaseline] ?? 0;
    const element = svg("text", {
      x: rounded(x), y: rounded(y + down), "font-size": size, "font-weight": weight ?? null,
      "text-anchor": { center: "middle", right: "end" }[this.textAlign] ?? null, ...attributes,
    });
    element.textContent = text;
    this.into.append(element);
  }

  fillText(text, x, y) { this.text(text, x, y, { fill: this.fillStyle }); }
  strokeText(text, x, y) { this.text(text, x, y, { fill: "none", stroke: this.strokeStyle, "stroke-width": this.lineWidth, "stroke-linejoin": "round" }); }
  measureText(text) { return { width: text.length * 6 }; }
}
PaperPen.clips = 0;

// The sheet of paper that stands for a canvas, empty.
function sheetFor(canvas, width, height) {
  const sheet = svg("svg", { class: `paper ${canvas.className}`.trim(), viewBox: `0 0 ${width} ${height}`, width, height, "font-family": FONT });
  if (canvas.nextElementSibling?.classList.contains("paper")) canvas.nextElementSibling.remove();
  canvas.after(sheet);
  return new PaperPen(sheet);
}

function clearPaper() {
  for (const sheet of document.querySelectorAll("svg.paper")) sheet.remove();
}
