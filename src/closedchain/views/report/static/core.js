// Data, texts, elements, numbers, canvases: what every part of the page uses.

const data = JSON.parse(document.getElementById("data").textContent);
const texts = data.texts;
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
let printing = false;

const byId = (id) => document.getElementById(id);

// An element with attributes, listeners (functions by event name) and children; text is never markup.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

function bytes(text) {
  const raw = atob(text);
  const found = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) found[k] = raw.charCodeAt(k);
  return found.buffer;
}

const floats = (text) => new Float32Array(bytes(text));
// Whole numbers, as many as told, of two or four bytes.
const wholes = (text, count) => {
  const raw = bytes(text);
  return raw.byteLength === 2 * count ? new Uint16Array(raw) : new Uint32Array(raw);
};

// A number to some significant digits with a true minus sign; powers of ten where it is very large or small.
function shown(value, digits = 4) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const power = Math.floor(Math.log10(Math.abs(value)));
  if (power < -4 || power > 5) {
    const [mantissa, exponent] = value.toExponential(Math.min(digits - 1, 2)).split("e");
    const raised = String(Number(exponent)).replace(/[-0-9]/g, (sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)]);
    return `${mantissa}\u202f×\u202f10${raised}`.replace(/^-/, "\u2212");
  }
  return value.toFixed(Math.max(0, digits - 1 - power)).replace("-", "\u2212");
}

const fixed = (value, decimals) => {
  const text = value.toFixed(decimals);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "\u2212");
};

// Round numbers about `count` apart between two ends, and the decimals they need.
function ticks(low, high, count) {
  const span = high - low;
  if (!(span > 0)) return { at: [low], decimals: 0, step: 1 };
  const raw = span / Math.max(1, count);
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((part) => part * unit).find((each) => each >= raw * 0.999);
  const at = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) at.push(k * step);
  const half = Math.abs(step / unit - 2.5) < 1e-6 ? 1 : 0;
  return { at, step, decimals: Math.max(0, half - Math.floor(Math.log10(step) + 1e-9)) };
}

// Colours of the page as they are now.
function ink(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

// Whether the page is dark now.
function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

// A colour of the drawing, lighter for a dark page.
function lighter(colour) {
  const parts = /^#(..)(..)(..)$/.exec(colour);
  if (!parts) return colour;
  return `#${parts.slice(1).map((part) => Math.round(parseInt(part, 16) * 0.62 + 255 * 0.38).toString(16).padStart(2, "0")).join("")}`;
}

const CURVES = 7;
const curveColour = (number) => ink(`curve-${(number % CURVES) + 1}`);

// A pen for a canvas, sharp on this screen, or for the paper in its place; width and height in CSS pixels.
function pen(canvas) {
  const width = canvas.clientWidth, height = canvas.clientHeight;
  if (printing) return { g: sheetFor(canvas, width, height), width, height };
  const scale = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const g = canvas.getContext("2d");
  g.setTransform(scale, 0, 0, scale, 0, 0);
  g.clearRect(0, 0, width, height);
  g.lineJoin = "round";
  return { g, width, height };
}

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Microsoft YaHei", sans-serif';

// Draws once per picture however often it is asked.
function once(draw) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; draw(); });
  };
}

// The place of the last entry that is not greater than x in ascending numbers.
function placeOf(numbers, x) {
  let low = 0, high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle] <= x) low = middle; else high = middle - 1;
  }
  return low;
}

// Parts of the page that draw, and how they hear that colours or sizes have changed.
const drawers = [];
function redraw() { for (const draw of drawers) draw(); }

function save(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
