package import MPaaSSupport
import MPaaSTOML

extension Timeline {
  /// Reads the TOML form: `name`, `length`, `repeat`, and a `[[step]]` for each statement.
  ///
  /// - Throws: `NetworkError` with the line of what is wrong.
  public init(
    toml text: String, file: String, name: String? = nil, profiles: ProfileCatalogue = .builtIn
  ) throws(NetworkError) {
    let document = try TOMLDocument.reading(text, file: file)
    let table = TimelineTable(file: file, profiles: profiles, steps: "step", line: document.line(_:_:))
    self = try table.timeline(document.values, name: name)
  }

  /// Reads the JSON form: an object with the keys of the TOML form, its steps an array `steps`.
  ///
  /// - Parameter file: What errors name.
  package init(
    json object: JSONValue.Object, file: String = "timeline", name: String? = nil,
    profiles: ProfileCatalogue = .builtIn
  ) throws(NetworkError) {
    let table = TimelineTable(file: file, profiles: profiles, steps: "steps", line: { _, _ in nil })
    self = try table.timeline(object, name: name)
  }

  /// Reads a file: TOML where its name ends so, JSON where it ends so, else the text form.
  package static func reading(
    _ path: String, profiles: ProfileCatalogue = .builtIn
  ) throws -> Timeline {
    let text = try TextFile.reading(path)
    if path.hasSuffix(".toml") { return try Timeline(toml: text, file: path, profiles: profiles) }
    guard path.hasSuffix(".json") else { return try Timeline(text: text, file: path, profiles: profiles) }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.reading(text)
    } catch {
      throw NetworkError(.timelineJSON, at: .bytes(file: path, offset: UInt64(error.offset)))
    }
    guard let object = value.object else { throw NetworkError(.timelineJSON, at: .bytes(file: path, offset: 0)) }
    return try Timeline(json: object, file: path, name: TimelineReader.name(of: path), profiles: profiles)
  }

  /// The JSON form, which reads as the same timeline again; `label` is for people.
  package func json(profiles: ProfileCatalogue = .builtIn) -> JSONValue.Object {
    var object: JSONValue.Object = ["name": .string(name), "repeat": .bool(repeats)]
    if let length { object["length"] = .string(Quantity.text(length)) }
    object["steps"] = .array(
      steps.filter { !$0.toxics.isEmpty }.map { step in
        var member: JSONValue.Object = [
          "at": .string(Quantity.text(step.start)), "do": .string(what(step, profiles)), "label": .string(step.label),
        ]
        if let duration = step.duration { member["for"] = .string(Quantity.text(duration)) }
        return .object(member)
      })
    return object
  }

  /// The TOML form, which reads as the same timeline again.
  package func toml(profiles: ProfileCatalogue = .builtIn) -> String {
    var text = "name = \(JSONValue.string(name).line)\n"
    if let length { text += "length = \"\(Quantity.text(length))\"\n" }
    if repeats { text += "repeat = true\n" }
    for step in steps where !step.toxics.isEmpty {
      text += "\n[[step]]\nat = \"\(Quantity.text(step.start))\"\n"
      if let duration = step.duration { text += "for = \"\(Quantity.text(duration))\"\n" }
      text += "do = \(JSONValue.string(what(step, profiles)).line)\n"
    }
    return text
  }
}

/// The keys of a timeline's TOML and JSON forms.
private struct TimelineTable {
  let file: String
  let profiles: ProfileCatalogue
  /// The key of the steps.
  let steps: String
  /// The line of a key, or of a step's element.
  let line: (_ key: String, _ element: Int?) -> Int?

  func timeline(_ values: JSONValue.Object, name: String?) throws(NetworkError) -> Timeline {
    let known = ["name", "length", "repeat", steps]
    for key in values.keys.sorted() where !known.contains(key) {
      throw NetworkError(
        .timelineKeyUnknown, ["key": key, "known": known.joined(separator: ", ")], at: place(key, nil))
    }
    let reader = TimelineReader(file: file, profiles: profiles)
    var timeline = Timeline(name: name ?? TimelineReader.name(of: file), steps: [])
    if let value = values["name"] { timeline.name = try string(value, "name", nil) }
    if let value = values["length"] {
      var cursor = try PhraseCursor(
        try string(value, "length", nil), file: file, line: line("length", nil) ?? 1, hasColumns: false)
      timeline.length = try cursor.duration()
      try cursor.end("the end")
    }
    if let value = values["repeat"] {
      guard let repeats = value.bool else { throw wrong("repeat", nil, "true or false") }
      timeline.repeats = repeats
    }
    guard let value = values[steps] else { return timeline }
    guard let elements = value.array else { throw wrong(steps, nil, "an array of tables") }
    var statements: [TimelineReader.Statement] = []
    for (index, element) in elements.enumerated() {
      guard let table = element.object else { throw wrong(steps, index, "a table") }
      statements += try reader.statements(try phrase(table, index), line: line(steps, index) ?? 1)
    }
    try reader.add(statements, to: &timeline)
    return timeline
  }

  /// The statement of the text form that a step's keys say.
  private func phrase(_ table: JSONValue.Object, _ index: Int) throws(NetworkError) -> String {
    let known = ["at", "do", "every", "for", "from", "label", "to", "until"]
    for key in table.keys.sorted() where !known.contains(key) {
      throw NetworkError(
        .timelineKeyUnknown, ["key": key, "known": known.joined(separator: ", ")], at: place(steps, index))
    }
    var text = ""
    for key in ["at", "every", "from", "to", "until"] {
      if let value = table[key] { text += "\(key) \(try string(value, key, index)) " }
    }
    text += ": "
    guard let what = table["do"] else { throw wrong("do", index, "a text or texts such as \"flight mode\"") }
    if let array = what.array {
      var parts: [String] = []
      for part in array { parts.append(try string(part, "do", index)) }
      text += parts.joined(separator: ", ")
    } else {
      text += try string(what, "do", index)
    }
    if let value = table["for"] { text += " for \(try string(value, "for", index))" }
    return text
  }

  private func string(_ value: JSONValue, _ key: String, _ index: Int?) throws(NetworkError) -> String {
    guard let text = value.string else { throw wrong(key, index, "a text") }
    return text
  }

  private func wrong(_ key: String, _ index: Int?, _ expected: String) -> NetworkError {
    NetworkError(
      .timelineValue, ["key": key, "expected": expected], at: place(index == nil ? key : steps, index))
  }

  private func place(_ key: String, _ index: Int?) -> Place {
    .text(file: file, line: line(key, index) ?? 1, column: nil)
  }
}

extension TOMLDocument {
  fileprivate func line(_ key: String, _ element: Int?) -> Int? {
    element.map { line(ofElement: $0, in: [key]) } ?? line(of: [key])
  }
}

extension NetworkError.Code {
  /// A key that is never read.
  package static var timelineKeyUnknown: Self { malformed("net-timeline-key-unknown") }
  /// A value of another type than its key has.
  package static var timelineValue: Self { malformed("net-timeline-value") }
  /// A timeline that is no JSON object.
  package static var timelineJSON: Self { malformed("net-timeline-json") }
}
