// Which curves are seen: quantities and studies to choose from, drawings below each other with one window of time.

class Curves {
  constructor(studies, jump) {
    this.studies = studies.map((study) => ({ ...study, t: floats(study.t) }));
    this.on = new Set([this.studies.some((each) => each.study === data.first) ? data.first : this.studies[0].study]);
    this.open = new Set(data.usual);
    this.plots = new Map();
    this.shared = {
      low: 0, high: 1, reading: null, time: null, jump,
      read: once(() => { for (const plot of this.seen()) plot.read(); }),
      window: (low, high) => this.window(low, high),
    };
    this.groups = new Map();
    for (const study of this.studies) {
      for (const group of study.groups) if (!this.groups.has(group.id)) this.groups.set(group.id, group);
    }
    const order = (id) => data.order.indexOf(id.split(" ")[0]);
    this.groups = new Map([...this.groups].sort(([a], [b]) => order(a) - order(b)));
    this.tools();
    this.list();
    this.extent();
    this.refresh();
    drawers.push(() => this.seen().forEach((plot) => plot.paint()));
  }

  seen() { return [...this.plots.values()].filter((plot) => plot.box.isConnected); }

  extent() {
    const chosen = this.studies.filter((study) => this.on.has(study.study));
    this.first = Math.min(...chosen.map((study) => study.t[0]));
    this.last = Math.max(...chosen.map((study) => study.t[study.t.length - 1]));
    if (!(this.last > this.first)) { this.first = Number.isFinite(this.first) ? this.first : 0; this.last = this.first + 1; }
    this.shared.low = this.first; this.shared.high = this.last;
  }

  window(low, high) {
    const least = (this.last - this.first) * 1e-5;
    low = Math.max(this.first, low); high = Math.min(this.last, high);
    if (high - low < least) { const middle = (low + high) / 2; low = middle - least / 2; high = middle + least / 2; }
    this.shared.low = low; this.shared.high = high;
    for (const plot of this.seen()) plot.paint();
  }

  at(time) { this.shared.time = time; this.shared.read(); }

  // Shows one study: the one that the picture shows.
  choose(study) {
    if (!this.studies.some((each) => each.study === study)) return;
    this.on = new Set([study]);
    this.marks();
    this.extent();
    this.refresh();
  }

  tools() {
    const zoom = (factor) => {
      const { low, high } = this.shared, middle = (low + high) / 2;
      this.window(middle - (middle - low) / factor, middle + (high - middle) / factor);
    };
    const tool = (text, label, act) => make("button", { type: "button", title: label, "aria-label": label, click: act }, text);
    this.studyButtons = this.studies.map((study) => make("button", {
      type: "button", class: "choice", "aria-pressed": "false", "data-study": study.study, click: () => {
        if (this.on.has(study.study) && this.on.size > 1) this.on.delete(study.study);
        else this.on.add(study.study);
        this.marks(); this.extent(); this.refresh();
      },
    }, study.study));
    byId("curve-tools").replaceChildren(
      this.studies.length > 1
        ? make("div", { class: "choices", role: "group", "aria-label": texts.studies }, make("span", { class: "label" }, texts.studies), ...this.studyButtons)
        : make("div"),
      make("div", { class: "tools" }, tool("+", texts.zoomin, () => zoom(2)), tool("−", texts.zoomout, () => zoom(0.5)),
        tool(texts.all, texts.all, () => this.window(-Infinity, Infinity))));
    this.marks();
  }

  marks() {
    for (const button of this.studyButtons) button.setAttribute("aria-pressed", String(this.on.has(button.dataset.study)));
  }

  list() {
    this.boxes = new Map();
    byId("quantities").replaceChildren(make("fieldset", {}, make("legend", {}, texts.quantities),
      ...[...this.groups.values()].map((group) => {
        const box = make("input", { type: "checkbox", change: () => {
          box.checked ? this.open.add(group.id) : this.open.delete(group.id);
          this.refresh();
        } });
        box.checked = this.open.has(group.id);
        this.boxes.set(group.id, box);
        return make("label", {}, box, make("span", {}, group.title), group.unit ? make("span", { class: "unit" }, group.unit) : null);
      })));
  }

  refresh() {
    const chosen = this.studies.filter((study) => this.on.has(study.study)), boxes = [];
    for (const id of this.groups.keys()) {
      if (!this.open.has(id)) continue;
      const curves = [];
      chosen.forEach((study, dash) => {
        const group = study.groups.find((each) => each.id === id);
        group?.channels.forEach((channel, colour) => {
          if (!channel.values) {
            channel.values = floats(channel.y);
            channel.times = channel.i ? Float32Array.from(wholes(channel.i, channel.values.length), (k) => study.t[k]) : study.t;
            channel.on = channel.on && this.first8(group, colour);
          }
          curves.push({
            name: channel.name, study: study.study, x: channel.times, y: channel.values, colour, dash, several: chosen.length > 1,
            get on() { return channel.on; }, set on(value) { channel.on = value; },
          });
        });
      });
      if (!curves.length) continue;
      const group = this.groups.get(id);
      if (!this.plots.has(id)) this.plots.set(id, new Plot(group.title, group.unit, this.shared));
      boxes.push([this.plots.get(id), curves]);
    }
    // What the chosen studies do not hold cannot be drawn.
    for (const [id, box] of this.boxes) box.disabled = !chosen.some((study) => study.groups.some((each) => each.id === id));
    const panels = byId("panels");
    panels.replaceChildren(...boxes.map(([plot]) => plot.box));
    if (!boxes.length) panels.append(make("p", { class: "note" }, texts.none));
    for (const [plot, curves] of boxes) plot.choose(curves);
  }

  // Curves that are seen at first: all of a few, of many the eight largest.
  first8(group, number) {
    const wanted = group.channels.filter((channel) => channel.on !== false || channel.values);
    if (wanted.length <= 8) return true;
    group.order ??= wanted
      .map((channel) => [floats(channel.y).reduce((most, v) => Math.max(most, Math.abs(v) || 0), 0), group.channels.indexOf(channel)])
      .sort((a, b) => b[0] - a[0]).slice(0, 8).map(([, k]) => k);
    return group.order.includes(number);
  }
}
