import MPaaSConfig

extension ProjectCheck {
  /// The newest format that is known: Xcode 27's.
  private static let newest = 110

  /// Finds text that Xcode reads otherwise than it is meant, or not at all.
  mutating func checkText() {
    let bytes = file.bytes
    if String(validating: bytes, as: UTF8.self) == nil { report(.encoding, at: invalidOffset(bytes)) }
    let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    if !bytes[start...].starts(with: "// !$*UTF8*$!".utf8) { report(.header, at: start) }
    checkKeys(0)
    for node in file.tape.nodes.indices where file.tape.nodes[node].kind == .word {
      let word = file.tape.bytes(of: node)
      if word.contains(where: { $0 >= 0x80 }) {
        report(.quotes, ["text": String(decoding: word, as: UTF8.self)], at: word.startIndex)
      }
    }
  }

  private func invalidOffset(_ bytes: [UInt8]) -> Int {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) { offset += UTF8.width(scalar) }
    return offset
  }

  /// Keys that stand in a dictionary twice; ids are looked at with the objects.
  private mutating func checkKeys(_ node: Int) {
    let tape = file.tape
    let isDictionary = tape.nodes[node].kind == .dictionary
    guard isDictionary || tape.nodes[node].kind == .array else { return }
    var seen: Set<ArraySlice<UInt8>> = []
    for child in tape.children(of: node) {
      if isDictionary, node != file.objectsNode, !seen.insert(tape.bytes(of: child)).inserted {
        report(.duplicateKey, ["key": tape.string(child)], at: Int(tape.nodes[child].start))
      }
      let value = isDictionary ? child + 1 : child
      if !tape.isString(value) { checkKeys(value) }
    }
  }

  mutating func checkRoot() {
    let root = PBXValue.dictionary(file.rootMembers)
    if let version = root["objectVersion"]?.string, let number = Int(version) {
      if number > Self.newest {
        report(.futureVersion, ["version": version, "newest": "\(Self.newest)"], at: rootOffset("objectVersion"))
      }
    } else {
      report(.version, ["version": root["objectVersion"]?.string ?? ""], at: rootOffset("objectVersion"))
    }
    let id = root["rootObject"]?.string ?? ""
    if file.object(id)?.isa != "PBXProject" { report(.rootObject, ["id": id], at: rootOffset("rootObject")) }
    checkSections()
  }

  private func rootOffset(_ key: String) -> Int {
    for node in file.tape.children(of: 0) where file.tape.string(node) == key {
      return Int(file.tape.nodes[node + 1].start)
    }
    return Int(file.tape.nodes[0].start)
  }

  /// Objects that stand between the markers of another kind.
  private mutating func checkSections() {
    var section: String?
    var end = Int(file.tape.nodes[file.objectsNode].start)
    for entry in file.entries {
      let start = Int(file.tape.nodes[entry.node].start)
      for line in file.bytes[end..<start].split(separator: 0x0a) {
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        if words.count >= 4, words[0] == "/*", words[1] == "Begin" { section = String(words[2]) }
        if words.count >= 4, words[0] == "/*", words[1] == "End" { section = nil }
      }
      let isa = file.kinds[entry.kind]
      if let section, section != isa, !isa.isEmpty {
        report(
          .section, ["id": file.tape.string(entry.node), "isa": isa, "section": section],
          id: file.tape.string(entry.node), at: start)
      }
      end = Int(file.tape.nodes[entry.value].end)
    }
  }
}
