import MPaaSSupport

/// A flame graph as one file that needs nothing else: boxes in rows from the top downwards, each as wide as its part.
///
/// A click makes a box as wide as the picture, and those around it with it; a word that is searched for marks the boxes
/// whose names have it and tells their part. Where no script runs, the picture is complete as it stands.
package struct FlamePicture: Sendable {
  package struct Box: Sendable {
    package let name: String
    /// The lines below the name that are shown when the box is pointed at.
    package let tip: String
    /// As CSS has it.
    package let color: String
    /// From 0 to 1, as is the width.
    package let left: Double
    package let width: Double
    /// From 0, at the top.
    package let row: Int

    package init(name: String, tip: String, color: String, left: Double, width: Double, row: Int) {
      self.name = name
      self.tip = tip
      self.color = color
      self.left = left
      self.width = width
      self.row = row
    }
  }

  /// The words of the picture's own, in the language of who looks at it.
  package struct Words: Sendable {
    package let search: String
    package let reset: String
    /// With `{share}` for the part that was found.
    package let found: String

    package init(search: String, reset: String, found: String) {
      self.search = search
      self.reset = reset
      self.found = found
    }
  }

  private let title: String
  private let subtitle: String
  private let boxes: [Box]
  private let ticks: [String]
  private let words: Words

  private static let width = 1200.0
  private static let margin = 12.0
  private static let rowHeight = 18.0
  private static let headHeight = 58.0
  /// That of a character of 11 pixels, monospaced.
  private static let letter = 6.7
  private static let style = FlameStyle(
    height: rowHeight, radius: 1.5, letter: letter, precision: 3, escaping: .flame)
  private static let inner = width - 2 * margin

  /// - Parameters:
  ///   - title: The line above the boxes.
  ///   - subtitle: The line below the title.
  ///   - ticks: Texts below the boxes, from the left edge to the right one at equal distances.
  package init(title: String, subtitle: String = "", boxes: [Box], ticks: [String] = [], words: Words) {
    self.title = title
    self.subtitle = subtitle
    self.boxes = boxes
    self.ticks = ticks
    self.words = words
  }

  /// The picture as an SVG file, UTF-8.
  package var svg: String { "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + drawing(isAlone: true) }

  /// The picture as a page of HTML, with a field for the search.
  package var html: String {
    """
    <!DOCTYPE html>
    <html>
    <head>
    <meta charset="utf-8">
    <title>\(title.escapedMarkup(.html))</title>
    <style>
    body { margin: 0; font: 13px system-ui, sans-serif; background: #fff }
    form { position: fixed; top: 10px; right: 14px } svg { width: 100%; height: auto; display: block }
    </style>
    </head>
    <body>
    <form onsubmit="return false"><input type="search" id="search" placeholder="\(words.search.escapedMarkup(.html))">
    </form>
    \(drawing(isAlone: false))</body>
    </html>

    """
  }

  private func drawing(isAlone: Bool) -> String {
    let rows = (boxes.map(\.row).max() ?? -1) + 1
    let bottom = Self.headHeight + Double(rows) * Self.rowHeight
    let height = bottom + (ticks.isEmpty ? 0 : Self.rowHeight) + Self.margin
    let size = "\(Self.number(Self.width)) \(Self.number(height))"
    let fixed = isAlone ? #" width="\#(Self.number(Self.width))" height="\#(Self.number(height))""# : ""
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg"\(fixed) viewBox="0 0 \(size)">
      <title>\(title.escapedMarkup(.flame))</title>
      <style>
      text { font: 11px ui-monospace, Menlo, Consolas, monospace; fill: #1b1b1b; pointer-events: none }
      .title { font: 600 17px system-ui, sans-serif } .sub { font: 12px system-ui, sans-serif; fill: #555 }
      .act { font: 12px system-ui, sans-serif; fill: #06c; pointer-events: auto; cursor: pointer }
      rect { stroke: #fff; stroke-width: 0.6 } g { cursor: pointer } g:hover > rect { stroke: #1b1b1b; stroke-width: 1 }
      g.up { opacity: 0.55 } g.found > rect { fill: #d63bd6 }
      </style>
      <rect x="0" y="0" width="100%" height="100%" fill="#fff"/>
      <text class="title" x="\(Self.number(Self.margin))" y="26">\(title.escapedMarkup(.flame))</text>
      <text class="sub" x="\(Self.number(Self.margin))" y="46">\(subtitle.escapedMarkup(.flame))</text>
      <text class="act" id="reset" x="\(Self.number(Self.width - 220))" y="46" visibility="hidden">\
      \(words.reset.escapedMarkup(.flame))</text>

      """
    if isAlone {
      text += #"<text class="act" id="ask" x="\#(Self.number(Self.width - 90))" y="46">"#
      text += "\(words.search.escapedMarkup(.flame))</text>\n"
    }
    text += #"<text class="sub" id="part" x="\#(Self.number(Self.width - 400))" y="46"> </text>"# + "\n"
    for box in boxes { text += element(box) }
    for (index, tick) in ticks.enumerated() {
      let left = Self.margin + Self.inner * Double(index) / Double(max(ticks.count - 1, 1))
      let anchor = index == 0 ? "start" : index == ticks.count - 1 ? "end" : "middle"
      text += #"<text class="sub" x="\#(Self.number(left))" y="\#(Self.number(bottom + 14))" "#
      text += #"text-anchor="\#(anchor)">\#(tick.escapedMarkup(.flame))</text>"# + "\n"
    }
    return text + "<script><![CDATA[\n\(script)]]></script>\n</svg>\n"
  }

  private func element(_ box: Box) -> String {
    Self.style.box(
      box.name, tip: "\(box.name.oneLine)\n\(box.tip)", color: box.color, left: Self.margin + box.left * Self.inner,
      top: Self.headHeight + Double(box.row) * Self.rowHeight, width: max(box.width * Self.inner, 0.3))
  }

  private static func number(_ value: Double) -> String { style.number(value) }
}

extension FlamePicture {
  /// The code that zooms and searches, without anything from elsewhere.
  private var script: String {
    """
    (function () {
      "use strict";
      var M = \(Self.number(Self.margin)), W = \(Self.number(Self.inner)), L = \(Self.letter), E = 0.01;
      var NS = "http://www.w3.org/2000/svg", FOUND = "\(words.found.inScript)", ASK = "\(words.search.inScript)";
      var all = [], byId = function (id) { return document.getElementById(id); };
      document.querySelectorAll("svg > g").forEach(function (g) {
        var r = g.querySelector("rect"), t = g.querySelector("text");
        all.push({ g: g, r: r, t: t, x: +r.getAttribute("x"), w: +r.getAttribute("width"), y: +r.getAttribute("y"),
          n: g.querySelector("title").textContent.split("\\n")[0] });
      });
      function place(b, x, w, up) {
        var left = Math.max(x, M), right = Math.min(x + w, M + W), seen = right - left > E;
        b.g.style.display = seen ? "" : "none";
        b.g.classList.toggle("up", up);
        if (!seen) return;
        b.r.setAttribute("x", left);
        b.r.setAttribute("width", right - left);
        var room = Math.floor((right - left - 6) / L);
        if (room < 3) { if (b.t) b.t.textContent = ""; return; }
        if (!b.t) {
          b.t = document.createElementNS(NS, "text");
          b.t.setAttribute("y", b.y + 12.5);
          b.g.appendChild(b.t);
        }
        b.t.setAttribute("x", left + 3);
        b.t.textContent = b.n.length > room ? b.n.slice(0, room - 1) + "…" : b.n;
      }
      function zoom(on) {
        var s = on ? W / on.w : 1, x0 = on ? on.x : M;
        all.forEach(function (b) {
          var up = !!on && b.y < on.y && b.x <= on.x + E && b.x + b.w >= on.x + on.w - E;
          place(b, M + (b.x - x0) * s, b.w * s, up);
        });
        byId("reset").setAttribute("visibility", on ? "visible" : "hidden");
      }
      function search(word) {
        var test = null, spans = [], sum = 0, end = 0;
        if (word) {
          try { var re = new RegExp(word, "i"); test = function (n) { return re.test(n); }; }
          catch (e) { test = function (n) { return n.toLowerCase().indexOf(word.toLowerCase()) >= 0; }; }
        }
        all.forEach(function (b) {
          var hit = !!test && test(b.n);
          b.g.classList.toggle("found", hit);
          if (hit) spans.push([b.x, b.x + b.w]);
        });
        spans.sort(function (a, b) { return a[0] - b[0]; });
        spans.forEach(function (s) { if (s[1] > end) { sum += s[1] - Math.max(s[0], end); end = s[1]; } });
        byId("part").textContent = word ? FOUND.replace("{share}", (sum / W * 100).toFixed(1) + " %") : " ";
      }
      all.forEach(function (b) { b.g.addEventListener("click", function () { zoom(b); }); });
      byId("reset").addEventListener("click", function () { zoom(null); });
      if (byId("ask")) byId("ask").addEventListener("click", function () { search(window.prompt(ASK, "")); });
      if (byId("search")) byId("search").addEventListener("input", function () { search(this.value); });
      window.addEventListener("keydown", function (e) { if (e.key === "Escape") { zoom(null); search(""); } });
    })();

    """
  }
}

extension String {
  /// Without line ends, which would begin the lines below a name.
  fileprivate var oneLine: String { String(map { $0.isNewline ? " " : $0 }) }

  /// Between double quotes of a script that stands in markup.
  fileprivate var inScript: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\", "<", ">", "&", "\0"..."\u{1f}", "\u{2028}", "\u{2029}":
        text += "\\u" + scalar.value.padded(to: 4, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension MarkupEscaping {
  /// Lines of the picture, where other control characters are as wrong as a carriage return.
  fileprivate static let flame = MarkupEscaping(carriageReturn: "\u{fffd}")
}
