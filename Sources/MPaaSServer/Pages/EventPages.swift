import MPaaSCrashReport
import MPaaSSupport

/// The page of an event, with every leaf of it.
struct EventPages: Sendable {
  let frame: PageFrame
  /// Bytes of markup of one page; what does not fit is on further ones.
  private static let room = 34_000
  /// Characters of a leaf that are shown.
  private static let longestLeaf = 4000
  private static let rowsPerTable = 60
  /// Members that are told elsewhere than in the table of the event.
  private static let sections = [
    "exception", "stacktrace", "threads", "logentry", "message", "user", "tags", "breadcrumbs", "contexts", "request",
    "extra", "modules", "sdk", "debug_meta",
  ]

  /// The subject of the page.
  struct Subject: Sendable {
    var entry: CrashEntry
    var event: JSONValue.Object
    /// The calls at an address, where symbols are known.
    var calls: [UInt64: [CrashReport.Call]] = [:]
    var attachments: [IncomingCrash.Attachment] = []
    /// The issue's number.
    var issue: Int64?
  }

  /// - Parameter part: From 1.
  func event(_ subject: Subject, part: Int) -> String {
    let parts = Self.parts(blocks(subject))
    let index = min(max(part, 1), parts.count) - 1
    let entry = subject.entry
    let files = subject.attachments.map { "\(HTML.escaped($0.filename)) <small>\($0.size)</small>" }
    let lines = [
      subject.issue.map { HTML.link("/issues/\($0)", frame.word("to-issue")) } ?? "",
      HTML.link("/crashes/\(entry.id)/report", frame.word("original")),
      frame.text("received-at") + " " + HTML.time(entry.received),
      files.isEmpty ? "" : frame.text("attachments") + " " + files.joined(separator: ", "),
    ].filter { !$0.isEmpty }
    let pages =
      parts.count < 2
      ? ""
      : "<p>\(frame.text("event-parts")) "
        + (1...parts.count).map {
          $0 == index + 1 ? "<b>\($0)</b>" : HTML.link("/crashes/\(entry.id)?part=\($0)", String($0))
        }.joined(separator: " ") + "</p>"
    return frame.page(
      entry.title.isEmpty ? entry.event : entry.title, section: "issues",
      ["<p>\(frame.text("event-\(Self.kind(subject.event))"))</p><p>\(lines.joined(separator: " · "))</p>", pages]
        + parts[index] + [pages])
  }

  /// Blocks of markup, in pages that are not too large.
  private static func parts(_ blocks: [String]) -> [[String]] {
    var parts: [[String]] = [[]]
    var size = 0
    for block in blocks {
      if size > 0, size + block.utf8.count > room {
        parts.append([])
        size = 0
      }
      parts[parts.count - 1].append(block)
      size += block.utf8.count
    }
    return parts
  }

  /// A word for what happened: a process ends only by an exception that was not handled.
  static func kind(_ event: JSONValue.Object) -> String {
    let exceptions = list(event["exception"])
    guard let last = exceptions.last?.object else {
      return event["logentry"] != nil || event["message"] != nil ? "message" : "plain"
    }
    let mechanism = last["mechanism"]?.object ?? [:]
    if let handled = mechanism["handled"]?.bool { return handled ? "handled" : "unhandled" }
    let isSignal = mechanism["meta"]?.object?["signal"] != nil || event["level"]?.string == "fatal"
    return isSignal ? "unhandled" : "exception"
  }

  /// A list, or the `values` of an object.
  private static func list(_ value: JSONValue?) -> [JSONValue] {
    value?.array ?? value?.object?["values"]?.array ?? (value?.object?["type"] == nil ? [] : [value ?? .null])
  }

  private func blocks(_ subject: Subject) -> [String] {
    let event = subject.event
    var blocks: [String] = []
    func section(_ name: String, _ leaves: [EventLeaves.Leaf]) {
      if !leaves.isEmpty { blocks += titled(frame.word("event-section-\(name)"), leaves) }
    }
    for name in ["message", "logentry"] { section("message", event[name].map { EventLeaves.of($0) } ?? []) }
    for exception in Self.list(event["exception"]).reversed() { blocks += owner(exception, "exception", subject) }
    rest(of: event["exception"], "exception", &blocks)
    if let trace = event["stacktrace"] { blocks += stack(trace, subject) }
    section(
      "event",
      event.sortedByName.flatMap { name, value in
        Self.sections.contains(name) ? [] : EventLeaves.of(value, name)
      })
    section("user", event["user"].map { EventLeaves.of($0) } ?? [])
    blocks += tags(event["tags"])
    for (name, context) in (event["contexts"]?.object ?? [:]).sortedByName {
      blocks += titled(frame.word("event-context", ["name": name]), EventLeaves.of(context))
    }
    if let contexts = event["contexts"], contexts.object?.isEmpty ?? true {
      section("contexts", EventLeaves.of(contexts))
    }
    blocks += breadcrumbs(event["breadcrumbs"])
    for name in ["request", "extra", "sdk", "modules"] { section(name, event[name].map { EventLeaves.of($0) } ?? []) }
    for thread in Self.list(event["threads"]) { blocks += owner(thread, "thread", subject) }
    rest(of: event["threads"], "thread", &blocks)
    section("images", event["debug_meta"].map { EventLeaves.of($0) } ?? [])
    return blocks
  }

  /// Adds the members of an object beside its `values`, or a value that is neither an object nor a list.
  private func rest(of value: JSONValue?, _ name: String, _ blocks: inout [String]) {
    guard let value, value.array == nil || value == .array([]) else { return }
    if var object = value.object, !Self.list(value).isEmpty {
      guard object["values"] != nil else { return }
      object.removeValue(forKey: "values")
      if !object.isEmpty { blocks += titled(frame.word("event-section-\(name)"), EventLeaves.of(.object(object))) }
      return
    }
    blocks += titled(frame.word("event-section-\(name)"), EventLeaves.of(value))
  }

  /// A table under a heading, in pieces.
  private func titled(_ title: String, _ leaves: [EventLeaves.Leaf]) -> [String] {
    let tables = stride(from: 0, to: leaves.count, by: Self.rowsPerTable).map { start in
      table(leaves[start..<min(start + Self.rowsPerTable, leaves.count)])
    }
    guard let first = tables.first else { return [] }
    return ["<h2>\(HTML.escaped(title))</h2>\(first)"] + tables.dropFirst()
  }

  private func table(_ leaves: ArraySlice<EventLeaves.Leaf>) -> String {
    let rows = leaves.map { "<tr><td>\(HTML.escaped($0.path))<td>\(shown($0.text))" }
    return "<div class=wide><table class=leaf>\(rows.joined(separator: "\n"))</table></div>"
  }

  /// A leaf's text; of a very long one the beginning.
  private func shown(_ text: String) -> String {
    let text = text.utf8.contains(0) ? text.replacing(each: "\0", with: "\u{2400}") : text
    guard text.utf8.count > Self.longestLeaf else { return HTML.lines(text) }
    let cut = frame.text("event-cut", ["count": String(text.count)])
    return HTML.lines(String(text.prefix(Self.longestLeaf))) + "… <small>\(cut)</small>"
  }

  private func tags(_ value: JSONValue?) -> [String] {
    guard let value else { return [] }
    let count = value.object?.count ?? value.array?.count ?? 0
    let told = IssueFacts.tags(value).map { EventLeaves.Leaf(path: $0.0, text: $0.1) }
    let isPlain = !told.isEmpty && value.object?.values.allSatisfy { $0.object == nil && $0.array == nil } ?? true
    let leaves = isPlain && !told.isEmpty ? whole(value, told) : EventLeaves.of(value)
    let more = count > IssueFacts.mostTags ? frame.text("event-tags-cut", ["count": String(count)]) : ""
    return titled(frame.word("event-section-tags"), Array(leaves.prefix(IssueFacts.mostTags)))
      + (more.isEmpty ? [] : ["<p class=none>\(more)</p>"])
  }

  /// The tags with their whole texts.
  private func whole(_ value: JSONValue, _ told: [EventLeaves.Leaf]) -> [EventLeaves.Leaf] {
    guard let object = value.object else { return told }
    return object.sortedByName.map { EventLeaves.Leaf(path: $0.key, text: EventLeaves.text(of: $0.value)) }
  }

  private func breadcrumbs(_ value: JSONValue?) -> [String] {
    guard let value else { return [] }
    let crumbs = Self.list(value)
    guard !crumbs.isEmpty else {
      return titled(frame.word("event-section-breadcrumbs"), EventLeaves.of(value))
    }
    var blocks = ["<h2>\(frame.text("event-section-breadcrumbs"))</h2>"]
    for crumb in crumbs {
      guard var object = crumb.object else {
        blocks += ["<p>\(shown(EventLeaves.text(of: crumb)))</p>"]
        continue
      }
      var head: [String] = []
      for name in ["timestamp", "level", "type", "category", "message"] {
        guard let value = object[name], value.object == nil, value.array == nil else { continue }
        object.removeValue(forKey: name)
        let text = shown(EventLeaves.text(of: value))
        head.append(name == "message" ? "<b>\(text)</b>" : "<small>\(text)</small>")
      }
      let leaves = EventLeaves.of(.object(object))
      let more = object.isEmpty ? "" : table(leaves[...])
      blocks.append("<div class=frame>\(head.joined(separator: " "))\(more)</div>")
    }
    return blocks
  }

  /// An exception or a thread: what it says itself, and its stack, innermost first.
  private func owner(_ value: JSONValue, _ kind: String, _ subject: Subject) -> [String] {
    guard var object = value.object else { return titled(frame.word("event-section-\(kind)"), EventLeaves.of(value)) }
    var title = frame.text("event-section-\(kind)")
    if kind == "exception" {
      let (type, text) = (object["type"]?.string, object["value"]?.string)
      title = HTML.lines([type, text].compactMap { $0 }.joined(separator: ": "))
      if type != nil { object.removeValue(forKey: "type") }
      if text != nil { object.removeValue(forKey: "value") }
    }
    let trace = object.removeValue(forKey: "stacktrace")
    let raw = object.removeValue(forKey: "raw_stacktrace")
    let leaves = EventLeaves.of(.object(object))
    var blocks = ["<h2>\(title)</h2>" + (object.isEmpty ? "" : table(leaves[...]))]
    for trace in [trace, raw].compactMap({ $0 }) { blocks += stack(trace, subject) }
    return blocks
  }

  private func stack(_ trace: JSONValue, _ subject: Subject) -> [String] {
    guard var object = trace.object, let frames = object["frames"]?.array else {
      return titled(frame.word("event-section-stack"), EventLeaves.of(trace))
    }
    object.removeValue(forKey: "frames")
    var blocks = frames.reversed().map { call($0, subject) }
    if !object.isEmpty { blocks += [table(EventLeaves.of(.object(object))[...])] }
    if frames.isEmpty { blocks.append("<p class=none>frames []</p>") }
    return blocks
  }

  private func call(_ value: JSONValue, _ subject: Subject) -> String {
    guard var object = value.object else { return "<div class=frame>\(shown(EventLeaves.text(of: value)))</div>" }
    let isOwn = object["in_app"]?.bool == true
    let line: Int? = object["lineno"]?.integer()
    let known = Self.address(object["instruction_addr"]).flatMap { subject.calls[$0] } ?? []
    var head = known.map { call in
      "<code>\(HTML.escaped(call.function))</code> <small>\(HTML.escaped(Self.place(call)))</small>"
    }.joined(separator: "<br>")
    func take(_ name: String) -> String? {
      guard let value = object[name], value.object == nil, value.array == nil, value != .null else { return nil }
      object.removeValue(forKey: name)
      return shown(EventLeaves.text(of: value))
    }
    if !head.isEmpty { head += "<br>" }
    head += take("function").map { "<code>\($0)</code> " } ?? ""
    head += take("module").map { "<small>\($0)</small> " } ?? ""
    let place = [take("filename"), take("lineno"), take("colno")].compactMap { $0 }.joined(separator: ":")
    head += place.isEmpty ? "" : "<small>\(place)</small>"
    let source = source(&object, line)
    // What a frame has nothing of is most of what it has.
    for (name, value) in object where value == .null || value == .array([]) || value == .object([:] as JSONValue.Object)
    {
      object.removeValue(forKey: name)
    }
    let leaves = EventLeaves.of(.object(object))
    let more = object.isEmpty ? "" : table(leaves[...])
    return "<div class=\"frame\(isOwn ? " own" : "")\">\(head)\(source)\(more)</div>"
  }

  /// An address as a number, or as text with `0x`.
  private static func address(_ value: JSONValue?) -> UInt64? {
    if let number = value?.integer(UInt64.self) { return number }
    guard let text = value?.string, text.hasPrefix("0x") else { return nil }
    return UInt64(text.dropFirst(2), radix: 16)
  }

  private static func place(_ call: CrashReport.Call) -> String {
    guard let file = call.file?.split(separator: "/").last else { return "" }
    return file + (call.line.map { ":\($0)" } ?? "")
  }

  /// The lines of source, with their numbers where they are known.
  private func source(_ object: inout JSONValue.Object, _ line: Int?) -> String {
    guard let own = object["context_line"]?.string else { return "" }
    func lines(_ name: String) -> [String] {
      guard let texts = object[name]?.array, texts.allSatisfy({ $0.string != nil }) else { return [] }
      object.removeValue(forKey: name)
      return texts.compactMap(\.string)
    }
    object.removeValue(forKey: "context_line")
    let (before, after) = (lines("pre_context"), lines("post_context"))
    func numbered(_ text: String, _ offset: Int) -> String {
      let number = line.map { String($0 &+ offset) + "  " } ?? ""
      return number + shown(text)
    }
    let all =
      before.enumerated().map { numbered($1, $0 - before.count) } + ["<mark>\(numbered(own, 0))</mark>"]
      + after.enumerated().map { numbered($1, $0 + 1) }
    return "<pre>\(all.joined(separator: "\n"))</pre>"
  }
}
