/// An object of a project: its id and what it says.
package struct PBXObject: Sendable, Hashable {
  package let id: String
  /// In the order of the file; `isa` is one of them.
  package var members: [PBXMember]

  package init(id: String, members: [PBXMember]) {
    self.id = id
    self.members = members
  }

  /// The kind of object: `PBXFileReference`; empty where it does not say.
  package var isa: String { string("isa") ?? "" }

  package subscript(key: String) -> PBXValue? {
    get { members.value(of: key) }
    set { members.set(key, newValue) }
  }

  package func string(_ key: String) -> String? { self[key]?.string }
  /// The strings of an array, or a string alone; none where the key is absent.
  package func strings(_ key: String) -> [String] { self[key]?.strings ?? [] }

  /// The object's name: its `name`, else its `path`.
  package var displayName: String? { string("name") ?? string("path") }
}

/// The owner of the objects of a project: a file as it stands, or a draft with what was changed so far.
package protocol PBXObjects {
  /// The members beside `objects`: `archiveVersion`, `objectVersion`, `rootObject` …
  var rootMembers: [PBXMember] { get }
  func object(_ id: String) -> PBXObject?
  /// The objects of a kind, in the order of the file, new ones behind them.
  func objects(_ isa: String) -> [PBXObject]
}
