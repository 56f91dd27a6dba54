// Puts the page together: picture, pins and curves share one instant; light and dark; copy, save, print.

function start() {
  let control = null;
  const curves = data.curves.length && byId("panels") ? new Curves(data.curves, (time) => control?.jump(time)) : null;
  const canvas = byId("mechanism");
  if (canvas && data.motions.length) {
    control = player(new Stage(canvas, byId("hint")), new Pins(byId("pins")), curves);
    if (!still) {
      let byHand = false;
      byId("play").addEventListener("click", () => { byHand = true; });
      new IntersectionObserver(([entry]) => {
        if (byHand) return;
        control.state(entry.isIntersecting);
      }, { threshold: 0.3 }).observe(canvas);
      byId("time").addEventListener("input", () => { byHand = true; });
      const jump = control.jump;
      control.jump = (time) => { byHand = true; jump(time); };
    }
  } else {
    canvas?.closest("figure").remove();
  }
  themes();
  copies();
  let wide = 0;
  new ResizeObserver(([entry]) => {
    if (Math.abs(entry.contentRect.width - wide) > 0.5) { wide = entry.contentRect.width; redraw(); }
  }).observe(document.querySelector("main"));
}

function themes() {
  const root = document.documentElement, button = byId("theme"), dark = matchMedia("(prefers-color-scheme: dark)");
  const label = () => {
    button.textContent = isDark() ? texts.light : texts.dark;
    button.setAttribute("aria-pressed", String(isDark()));
    redraw();
  };
  button.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; label(); });
  dark.addEventListener("change", label);
  byId("print").addEventListener("click", () => print());
  let theme = "";
  addEventListener("beforeprint", () => {
    theme = root.dataset.theme ?? "";
    root.dataset.theme = "light";
    printing = true;
    redraw();
    root.classList.add("printing");
  });
  addEventListener("afterprint", () => {
    printing = false;
    root.classList.remove("printing");
    clearPaper();
    if (theme) root.dataset.theme = theme; else delete root.dataset.theme;
    redraw();
  });
  label();
}

function copies() {
  const file = byId("file"), copy = byId("copy");
  copy.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(file.textContent); }
    catch {
      getSelection().selectAllChildren(file);
      document.execCommand("copy");
    }
    const before = copy.textContent;
    copy.textContent = texts.copied;
    setTimeout(() => { copy.textContent = before; }, 1500);
  });
  byId("download").addEventListener("click", () => save(data.file, "application/toml", file.textContent));
}

start();
