package import MPaaSSupport

/// The changes to the machine, written down before it is done, so that it can be undone after a kill too.
package struct ShapingRecord: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    /// Rules for a program in a namespace; they last as long as the process that made them.
    case run
    /// The shaping of an interface until `unshape`.
    case shape
    /// The shaping of an interface for as long as the process that made it.
    case hold
  }

  /// The file's name without its end.
  package var name: String
  package var kind: Kind
  /// The title for people: a profile, an interface.
  package var label: String
  package var interface: String
  package var owner: ProcessMark
  /// The network namespace that the rules are in, as `/proc/self/ns/net` names it.
  package var namespace: String
  /// Since when the machine runs: another boot has nothing left to undo.
  package var boot: String
  /// Seconds since 1970.
  package var started: Int64
  /// In the order in which they undo.
  package var undo: [SystemCommand]
  /// Tells whether the forwarding of packets was off before.
  package var restoresForwarding: Bool

  package init(
    name: String, kind: Kind, label: String, interface: String, owner: ProcessMark, namespace: String, boot: String,
    started: Int64, undo: [SystemCommand], restoresForwarding: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.label = label
    self.interface = interface
    self.owner = owner
    self.namespace = namespace
    self.boot = boot
    self.started = started
    self.undo = undo
    self.restoresForwarding = restoresForwarding
  }
}

/// A process, told apart from a later one of the same number by when it started.
package struct ProcessMark: Sendable, Hashable {
  package var process: Int32
  /// Clock ticks since boot (field 22 of `/proc/PID/stat`); nil where there is no `/proc`.
  package var start: UInt64?

  package init(process: Int32, start: UInt64?) {
    self.process = process
    self.start = start
  }
}

extension ShapingRecord {
  package var json: JSONValue {
    var object: JSONValue.Object = [
      "version": 1, "kind": .string(kind.rawValue), "label": .string(label), "interface": .string(interface),
      "process": JSONValue(owner.process), "namespace": .string(namespace), "boot": .string(boot),
      "started": JSONValue(started), "restores_forwarding": .bool(restoresForwarding),
      "undo": .array(undo.map { .array($0.words.map(JSONValue.string)) }),
    ]
    if let start = owner.start { object["process_start"] = JSONValue(start) }
    return .object(object)
  }

  /// - Throws: `net-shaping-record` naming the member that is not what it should be.
  package init(name: String, _ json: JSONValue) throws(NetworkError) {
    func bad(_ member: String) -> NetworkError {
      NetworkError(.recordMalformed, ["record": name, "member": member])
    }
    guard let object = json.object, object["version"] == 1 else { throw bad("version") }
    func text(_ member: String) throws(NetworkError) -> String {
      guard let value = object[member]?.string else { throw bad(member) }
      return value
    }
    func number<Value: FixedWidthInteger>(_ member: String) throws(NetworkError) -> Value {
      guard let value = object[member]?.integer(Value.self) else { throw bad(member) }
      return value
    }
    guard let kind = Kind(rawValue: try text("kind")) else { throw bad("kind") }
    guard let restores = object["restores_forwarding"]?.bool else { throw bad("restores_forwarding") }
    guard let lists = object["undo"]?.array else { throw bad("undo") }
    var undo: [SystemCommand] = []
    for list in lists {
      guard let values = list.array, !values.isEmpty else { throw bad("undo") }
      let words = values.compactMap(\.string)
      guard words.count == values.count, ShapingRecord.programs.contains(words[0]) else { throw bad("undo") }
      undo.append(SystemCommand(words))
    }
    let start: UInt64? = object["process_start"] == nil ? nil : try number("process_start")
    self.init(
      name: name, kind: kind, label: try text("label"), interface: try text("interface"),
      owner: ProcessMark(process: try number("process"), start: start), namespace: try text("namespace"),
      boot: try text("boot"), started: try number("started"), undo: undo, restoresForwarding: restores)
  }

  /// The programs that a record may have run, since it runs with rights: the programs that we shape by.
  static let programs: Set<String> = ["tc", "ip", "iptables", "nft", "dnctl", "pfctl"]
}
