import MPaaSLock

/// Managers by name, so that the parts of an app share indexes without handing them on: contacts, chats, towns.
public final class PinyinSearchManagers: Sendable {
  /// The managers that all of a program shares.
  public static let shared = PinyinSearchManagers()

  private struct Entry: Sendable {
    let manager: any Sendable
    let reset: @Sendable () -> Void
  }

  /// A name stands for one manager of each type of elements.
  private struct Key: Hashable {
    let name: String
    let type: ObjectIdentifier
  }

  private let entries = Lock<[Key: Entry]>([:])

  /// Makes a collection without managers.
  public init() {}

  /// The manager of a name, made for the first caller.
  public func manager<Element: Sendable>(
    named name: String, of type: Element.Type = Element.self, orMake make: () -> PinyinSearchManager<Element>
  ) -> PinyinSearchManager<Element> {
    if let manager = existing(named: name, of: type) { return manager }
    let made = make()
    return entries.withLock { entries in
      let key = Key(name: name, type: ObjectIdentifier(type))
      if let manager = entries[key]?.manager as? PinyinSearchManager<Element> { return manager }
      entries[key] = Entry(manager: made, reset: { made.reset() })
      return made
    }
  }

  /// The manager of a name; nil where none was made.
  public func existing<Element: Sendable>(
    named name: String, of type: Element.Type = Element.self
  ) -> PinyinSearchManager<Element>? {
    let key = Key(name: name, type: ObjectIdentifier(type))
    return entries.withLock { $0[key]?.manager as? PinyinSearchManager<Element> }
  }

  /// The names in alphabetical order.
  public var names: [String] { Set(entries.withLock { $0.keys.map(\.name) }).sorted() }

  /// Takes the managers of a name out and resets them; who holds one can go on with it.
  public func remove(named name: String) {
    let removed = entries.withLock { entries -> [Entry] in
      let keys = entries.keys.filter { $0.name == name }
      return keys.compactMap { entries.removeValue(forKey: $0) }
    }
    for entry in removed { entry.reset() }
  }
}
