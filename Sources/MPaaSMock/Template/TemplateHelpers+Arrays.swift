import MPaaSJSON

extension TemplateHelpers {
  /// Helpers for lists.
  static let arrays: [String: Helper] = [
    "array": { arguments, _ in .list(arguments.values) },
    "arrayAdd": { arguments, _ in
      guard var items = arguments[0].elements else { return error("arrayAdd needs a list") }
      guard let place = place(arguments, items.count) else { return error("there is no such place in the list") }
      items.insert(arguments[1], at: place)
      return .list(items)
    },
    "arrayRemove": { arguments, _ in
      guard var items = arguments[0].elements else { return error("arrayRemove needs a list") }
      guard let place = place(arguments, items.count - 1), items.indices.contains(place) else {
        return error("there is no such place in the list")
      }
      items.remove(at: place)
      return .list(items)
    },
    "arrayJoin": { arguments, run in
      let separator = arguments[0].text
      let items = arguments[1].elements ?? Array(arguments.values.dropFirst())
      let shown = items.map { $0.text }.joined(separator: separator)
      return .text((arguments.text("prefix") ?? "") + shown + (arguments.text("suffix") ?? ""))
    },
  ]

  /// The place that `position` names; the last one where there is none.
  private static func place(_ arguments: TemplateArguments, _ last: Int) -> Int? {
    switch arguments.text("position") {
    case nil, "end": return max(last, 0)
    case "start": return 0
    case let text?:
      guard let place = Int(text), (0...max(last, 0)).contains(place) else { return nil }
      return place
    }
  }
}
