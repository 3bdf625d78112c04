import MPaaSJSON

/// The place of a value that is being written.
///
/// Containers of a value may be open at the same time, so that what each has written waits here until all are done.
final class RPCEncodingSlot {
  enum Value {
    case none
    case node(JSONNode)
    case list([Item])
    case members([(name: String, item: Item)])
  }

  /// An element or a member's value: written already, or by a container of its own.
  enum Item {
    case node(JSONNode)
    case slot(RPCEncodingSlot)

    var node: JSONNode {
      switch self {
      case .node(let node): node
      case .slot(let slot): slot.node
      }
    }
  }

  var value = Value.none

  /// The finished value; an object where nothing was written, as JSONEncoder makes it.
  var node: JSONNode {
    switch value {
    case .none: return JSONNode(.object([]))
    case .node(let node): return node
    case .list(let items): return JSONNode(.array(items.map(\.node)))
    case .members(let items):
      var members = JSONMembers()
      for (name, item) in items { members.put(JSONNode.Member(name: name, value: item.node)) }
      return JSONNode(.object(members.list))
    }
  }

  func append(_ item: Item) {
    guard case .list(var items) = value else { return }
    value = .none
    items.append(item)
    value = .list(items)
  }

  func append(_ item: Item, named name: String) {
    guard case .members(var items) = value else { return }
    value = .none
    items.append((name, item))
    value = .members(items)
  }

  /// The number of elements.
  var count: Int { if case .list(let items) = value { items.count } else { 0 } }
}
