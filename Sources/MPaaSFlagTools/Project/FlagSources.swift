package import MPaaSFlags
package import MPaaSSupport

/// The flags and segments of a state as they were written, each as JSON text without white space.
///
/// A server keeps them so, since members that it does not know belong to other clients.
package struct FlagSources: Sendable, Equatable {
  package private(set) var items: [FlagItem: String] = [:]
  /// Bytes of all items and a comma behind each.
  package private(set) var size = 0

  package init() {}

  package init(_ items: [(FlagItem, String)]) {
    for (item, json) in items { self[item] = json }
  }

  package internal(set) subscript(_ item: FlagItem) -> String? {
    get { items[item] }
    set {
      if let old = items[item] { size -= old.utf8.count + 1 }
      if let newValue { size += newValue.utf8.count + 1 }
      items[item] = newValue
    }
  }

  mutating func removeAll() {
    items = [:]
    size = 0
  }

  /// The flags by name.
  package var flags: [(name: ExactName, json: String)] {
    items.compactMap { item, json in
      if case .flag(let name) = item { (name, json) } else { nil }
    }.sorted { $0.name < $1.name }
  }

  /// The segments by number.
  package var segments: [(id: Int, json: String)] {
    items.compactMap { item, json in
      if case .segment(let id) = item { (id, json) } else { nil }
    }.sorted { $0.id < $1.id }
  }

  /// The members `"features":[…],"segments":[…]` of a state.
  ///
  /// - Parameter isIncluded: Says which flags are in it.
  package func members(flags isIncluded: (ExactName) -> Bool = { _ in true }) -> String {
    let flags = flags.filter { isIncluded($0.name) }.map(\.json).joined(separator: ",")
    return "\"features\":[\(flags)],\"segments\":[\(segments.map(\.json).joined(separator: ","))]"
  }

  /// The state of these items.
  ///
  /// - Throws: `FlagError`, where they are no items of ours.
  package func state() throws(FlagError) -> FlagState { try FlagState(json: "{\(members())}") }

  /// The edits that lead to other items, in their order.
  package func edits(to other: FlagSources) -> [FlagEdit] {
    let changed = other.items.filter { items[$0.key]?.utf8.elementsEqual($0.value.utf8) != true }.keys
    let removed = items.keys.filter { other.items[$0] == nil }
    return (changed + removed).sorted().map { FlagEdit(item: $0, before: items[$0], after: other.items[$0]) }
  }

  /// The items after edits.
  package func applying(_ edits: [FlagEdit]) -> FlagSources {
    var sources = self
    for edit in edits { sources[edit.item] = edit.after }
    return sources
  }
}

extension FlagEdit {
  /// The event of Unleash's delta that tells of the edit.
  ///
  /// - Parameter version: The number of the event.
  package func event(_ version: Int) -> String {
    let start = "{\"eventId\":\(version),\"type\":"
    switch (item, after) {
    case (.flag, let json?): return start + "\"feature-updated\",\"feature\":\(json)}"
    case (.flag(let name), nil):
      return start + "\"feature-removed\",\"featureName\":\(JSONValue.string(name.text).line),\"project\":\(project)}"
    case (.segment, let json?): return start + "\"segment-updated\",\"segment\":\(json)}"
    case (.segment(let id), nil): return start + "\"segment-removed\",\"segmentId\":\(id)}"
    }
  }

  /// The project of the flag as JSON.
  private var project: String {
    let flags = (try? FlagState(json: "{\"features\":[\(before ?? after ?? "")]}"))?.flags
    return JSONValue.string(flags?.first?.project ?? FlagDefinition.usualProject).line
  }
}

extension FlagDefinition {
  /// The project of flags that name none.
  package static let usualProject = "default"

  /// Tells whether the flag switches something off in need, and so needs no approval.
  package var isKillSwitch: Bool { type == "kill-switch" }
}
