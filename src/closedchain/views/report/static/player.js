// Play, pause, slider, speed: one instant for the picture, the pins and the curves.

function player(stage, pins, curves) {
  let playing = false, last = 0, speed = 1, motion = null;
  const slider = make("input", { type: "range", id: "time", min: "0", max: "1000", step: "any", value: "0", "aria-label": texts.time });
  const clock = make("output", { class: "clock" });
  const play = make("button", { type: "button", id: "play", class: "round", "aria-label": texts.play });
  const pace = make("select", { id: "speed", change: () => { speed = Number(pace.value); } });
  const which = make("select", { id: "motion", change: () => choose(data.motions[Number(which.value)]) },
    ...data.motions.map((each, k) => make("option", { value: k }, each.study)));

  function label(factor) {
    if (factor === 1) return texts.real;
    return factor < 1 ? texts.slower.replace("#", shown(1 / factor, 1)) : texts.faster.replace("#", shown(factor, 1));
  }

  function show(time) {
    stage.time = time;
    stage.draw();
    pins.at(time);
    curves?.at(time);
    slider.value = String((1000 * (time - stage.start)) / (stage.end - stage.start || 1));
    const decimals = Math.max(1, 3 - Math.floor(Math.log10(stage.end - stage.start || 1)));
    clock.textContent = `${fixed(time, Math.min(decimals, 6))} ${stage.frames.unit || texts.samples}`;
    slider.setAttribute("aria-valuetext", clock.textContent);
    const caption = byId("instant");
    if (caption) caption.textContent = `${motion.study}, ${clock.textContent}`;
  }

  function choose(next) {
    const before = motion;
    motion = next;
    stage.choose(next);
    pins.choose(next);
    const span = stage.end - stage.start;
    const paces = [1e-4, 1e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100].filter((each) => each === 1 || (span / each >= 1.5 && span / each <= 60));
    if (data.speed && !paces.includes(data.speed)) paces.push(data.speed);
    pace.replaceChildren(...paces.map((each) => make("option", { value: each }, label(each))));
    // Played within about six seconds where real time is too fast or slow to follow.
    speed = data.speed || (span >= 3 && span <= 20 ? 1 : paces.reduce((a, b) => (Math.abs(Math.log(span / b / 6)) < Math.abs(Math.log(span / a / 6)) ? b : a)));
    pace.value = String(speed);
    if (before) curves?.choose(next.study);
    show(stage.time);
  }

  function state(on) {
    playing = on;
    play.setAttribute("aria-label", on ? texts.pause : texts.play);
    play.classList.toggle("playing", on);
    last = 0;
    if (on) requestAnimationFrame(tick);
  }

  function tick(now) {
    if (!playing) return;
    if (last && !document.hidden) {
      let time = stage.time + ((now - last) / 1000) * speed;
      if (time > stage.end) time = stage.start;
      show(time);
    }
    last = now;
    requestAnimationFrame(tick);
  }

  const check = (text, key) => {
    const box = make("input", { type: "checkbox", change: () => { stage.show[key] = box.checked; stage.draw(); } });
    queueMicrotask(() => { box.checked = stage.show[key]; });
    return make("label", { class: "check" }, box, text);
  };
  play.addEventListener("click", () => state(!playing));
  slider.addEventListener("input", () => {
    state(false);
    show(stage.start + (Number(slider.value) / 1000) * (stage.end - stage.start));
  });
  const forces = data.motions.some((each) => Object.keys(each.frames.forces).length);
  byId("controls").replaceChildren(
    make("div", { class: "row" }, play, slider, clock),
    make("div", { class: "row options" },
      data.motions.length > 1 ? make("label", {}, make("span", { class: "label" }, texts.study), which) : null,
      make("label", {}, make("span", { class: "label" }, texts.speed), pace),
      check(texts.paths, "paths"), check(texts.names, "names"), forces ? check(texts.forces, "forces") : null));
  stage.canvas.parentElement.append(make("button", { type: "button", class: "quiet", id: "reset", click: () => stage.reset() }, texts.reset));
  stage.canvas.addEventListener("keydown", (event) => {
    if (event.key === " ") { state(!playing); event.preventDefault(); }
  });
  const first = Math.max(0, data.motions.findIndex((each) => each.study === data.first));
  which.value = String(first);
  choose(data.motions[first]);
  return {
    jump: (time) => { state(false); show(Math.min(stage.end, Math.max(stage.start, time))); },
    state, playing: () => playing,
  };
}
