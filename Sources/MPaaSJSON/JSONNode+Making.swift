extension JSONNode {
  /// Creates an object without places; members without a value are left out.
  package init(members: [(name: String, value: JSONNode?)]) {
    self.init(.object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } }))
  }

  /// Creates an array without places.
  package init(elements: [JSONNode]) { self.init(.array(elements)) }

  /// Creates a string without a place.
  package init(text: String) { self.init(.string(text)) }

  /// Creates a whole number without a place.
  package init(whole: some BinaryInteger) { self.init(.number(JSONNumber(whole))) }

  /// Creates a number without a place; null where it is not finite.
  package init(real: Double) { self.init(JSONNumber(real).map { .number($0) } ?? .null) }

  /// The object with a member put in the place of the one of that name, or behind the others; nil takes it away.
  ///
  /// A value that is no object stays as it is.
  package func replacing(_ name: String, with value: JSONNode?) -> JSONNode {
    guard var members else { return self }
    let place = members.firstIndex { $0.name == name }
    switch (place, value) {
    case (let place?, let value?):
      members[place] = Member(
        name: name, value: value, position: members[place].position, comment: members[place].comment)
    case (let place?, nil): members.remove(at: place)
    case (nil, let value?): members.append(Member(name: name, value: value))
    case (nil, nil): break
    }
    return JSONNode(.object(members), at: position)
  }
}
