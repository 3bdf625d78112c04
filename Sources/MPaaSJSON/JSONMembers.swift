/// The members of an object while it is put together; of two with one name the last counts, in the place of the first.
package struct JSONMembers {
  package private(set) var list: [JSONNode.Member] = []
  /// The places of names once there are many of them; hashing a few takes longer than comparing them.
  private var places: [String: Int] = [:]
  private static let few = 12

  package init() {}

  /// Takes a member.
  ///
  /// - Returns: The member of the same name that it takes the place of; nil where there was none.
  @discardableResult
  package mutating func put(_ member: JSONNode.Member) -> JSONNode.Member? {
    guard let place = place(of: member.name) else {
      if list.count >= Self.few { places[member.name] = list.count }
      list.append(member)
      return nil
    }
    let known = list[place]
    list[place] = member
    return known
  }

  private mutating func place(of name: String) -> Int? {
    guard list.count >= Self.few else { return list.firstIndex { $0.name == name } }
    if places.isEmpty {
      for (index, member) in list.enumerated() { places[member.name] = index }
    }
    return places[name]
  }

  /// True where the last member has no comment.
  var takesComment: Bool { list.last.map { $0.comment == nil } ?? false }

  /// Gives the last member a comment.
  mutating func comment(_ text: String?) {
    guard let last = list.indices.last else { return }
    list[last].comment = text
  }
}
