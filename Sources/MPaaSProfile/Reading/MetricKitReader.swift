import MPaaSSupport

/// Diagnostics of MetricKit: call-stack trees of hangs, crashes, processor and disk exceptions, and slow launches.
///
/// They stand in lists by kind (`MXDiagnosticPayload`), alone, in a report of iOS 27, or in App Store Connect's logs.
/// Each call stack becomes a thread that is named by its diagnostic. A frame counts the samples that its callees do not.
/// Trees are told from the outermost function inwards, except the stacks of crashes, which begin with the innermost.
/// Functions are named by image and offset where there are no symbols.
/// - Source: Apple, "MXCallStackTree: jsonRepresentation()", "MXDiagnosticPayload"; the order of crashes is Sentry's
///   observation (sentry-cocoa, SentryMetricKitIntegration).
struct MetricKitReader {
  private let file: String
  private var profile: Profile
  private var diagnostics = 0
  private var isMetric = false
  private var steps = 0
  /// Frames of all crashes together; more than any payload has.
  private static let mostSteps = 1 << 24

  private struct Node {
    var parent: Int
    var name = ""
    var uuid = ""
    var symbol = ""
    var address: UInt64 = 0
    var offset: UInt64?
    var count: Int64 = 0
    /// The samples of its callees.
    var below: Int64 = 0
    var isLeaf = true
    var stack = -1

    /// The samples in which it was running itself; a leaf without a count was seen once.
    var own: Int64 { isLeaf ? max(count, 1) : max(0, count.subtractingReportingOverflow(below).partialValue) }
  }

  private struct CallStack {
    var isAttributed = false
    var nodes: [Node] = []
  }

  private enum Kind: String, CaseIterable {
    case crash, hang, cpuException, diskWriteException, appLaunch, memoryException

    var member: String { rawValue + "Diagnostics" }

    /// The kind of which a member with this name is a measure.
    init?(measure: String) {
      switch measure {
      case "hangDuration": self = .hang
      case "totalCPUTime": self = .cpuException
      case "writesCaused", "totalWritesCaused", "totalBytesWritten": self = .diskWriteException
      case "launchDuration": self = .appLaunch
      case "signal", "exceptionType", "exceptionCode": self = .crash
      default: return nil
      }
    }
  }

  /// A diagnostic while its members are read.
  private struct Diagnostic {
    var stacks: [CallStack] = []
    var hasTree = false
    var kind: Kind?
    var measure: String?
  }

  private init(file: String) {
    self.file = file
    profile = Profile(name: file)
  }

  /// Reads a file of one or more diagnostics.
  ///
  /// - Throws: `profile-not-json`, `profile-bad-member`, `profile-too-deep`; `profile-without-stacks` for a payload of
  ///   metrics.
  static func profile(_ bytes: UnsafeRawBufferPointer, file: String) throws(ProfileError) -> Profile {
    var reader = MetricKitReader(file: file)
    var json = JSONCursor(bytes, file: file)
    var single = Diagnostic()
    try json.object("$") { (name, json) throws(ProfileError) in
      let text = json.text(name)
      if let kind = Kind.allCases.first(where: { $0.member == text }) {
        try reader.list(&json, text, of: kind)
      } else if text == "productData", json.next() == UInt8(ascii: "[") {
        try reader.logs(&json)
      } else {
        if text.hasSuffix("Metrics") || text == "intervalEntries" { reader.isMetric = true }
        try Self.member(&json, text, of: &single, level: 0)
      }
    }
    try json.end()
    if single.hasTree { try reader.append(single, json) }
    guard !reader.profile.threads.isEmpty else {
      throw ProfileError(
        .withoutStacks, ["file": file, "kind": reader.isMetric ? "MXMetricPayload" : "MXDiagnosticPayload"],
        at: .file(file))
    }
    return reader.profile
  }

  private mutating func list(_ json: inout JSONCursor, _ name: String, of kind: Kind?) throws(ProfileError) {
    try json.array(name) { (_, json) throws(ProfileError) in
      var diagnostic = Diagnostic()
      try json.object(name) { (name, json) throws(ProfileError) in
        try Self.member(&json, json.text(name), of: &diagnostic, level: 0)
      }
      if let kind { diagnostic.kind = kind }
      try append(diagnostic, json)
    }
  }

  /// The logs of App Store Connect, by products.
  private mutating func logs(_ json: inout JSONCursor) throws(ProfileError) {
    try json.array("productData") { (_, json) throws(ProfileError) in
      guard json.next() == UInt8(ascii: "{") else { return try json.skip() }
      try json.object("productData") { (name, json) throws(ProfileError) in
        guard json.isName(name, "diagnosticLogs") else { return try json.skip() }
        try list(&json, "diagnosticLogs", of: nil)
      }
    }
  }

  /// Reads a member of a diagnostic, or of the objects in it: those of iOS 27 lie below the name of their kind.
  private static func member(
    _ json: inout JSONCursor, _ name: String, of diagnostic: inout Diagnostic, level: Int
  ) throws(ProfileError) {
    if name == "callStackTree" {
      diagnostic.hasTree = true
      diagnostic.stacks += try trees(&json)
    } else if let kind = Kind(measure: name) {
      diagnostic.kind = diagnostic.kind ?? kind
      if let measure = try measure(&json, name), kind != .crash { diagnostic.measure = measure }
    } else if json.next() == UInt8(ascii: "{"), level < 3, name != "environment", name != "timeRange" {
      if let kind = Kind(rawValue: name) { diagnostic.kind = kind }
      try json.object(name) { (name, json) throws(ProfileError) in
        try member(&json, json.text(name), of: &diagnostic, level: level + 1)
      }
    } else if level < 2, json.next() == UInt8(ascii: "\"") {
      let text = try json.string(name)
      diagnostic.kind = diagnostic.kind ?? Kind(rawValue: text) ?? (text.lowercased() == "hang" ? .hang : nil)
    } else {
      try json.skip()
    }
  }

  /// A measure in words; nil where it is none.
  private static func measure(_ json: inout JSONCursor, _ name: String) throws(ProfileError) -> String? {
    if json.next() == UInt8(ascii: "\"") { return try json.string(name) }
    guard json.next() == UInt8(ascii: "{") else {
      try json.skip()
      return nil
    }
    var thousandths: Int64?
    var unit = ""
    try json.object(name) { (name, json) throws(ProfileError) in
      if json.isName(name, "value"), json.next() != UInt8(ascii: "\"") {
        thousandths = try json.decimal("value", scale: 3)
      } else if json.isName(name, "unit"), json.next() == UInt8(ascii: "\"") {
        unit = try json.string("unit")
      } else {
        try json.skip()
      }
    }
    guard let thousandths else { return nil }
    let value = thousandths % 1000 == 0 ? "\(thousandths / 1000)" : "\(Double(thousandths) / 1000)"
    return unit.isEmpty ? value : "\(value) \(unit)"
  }

  /// The stacks of a tree, or of an array of trees.
  private static func trees(_ json: inout JSONCursor) throws(ProfileError) -> [CallStack] {
    guard json.next() == UInt8(ascii: "[") else { return try stacks(&json) }
    var all: [CallStack] = []
    try json.array("callStackTree") { (_, json) throws(ProfileError) in all += try stacks(&json) }
    return all
  }

  private static func stacks(_ json: inout JSONCursor) throws(ProfileError) -> [CallStack] {
    var stacks: [CallStack] = []
    var names: [String: String] = [:]
    try json.object("callStackTree") { (name, json) throws(ProfileError) in
      if json.isName(name, "binaryInfo"), json.next() == UInt8(ascii: "[") {
        names = try imageNames(&json)
      } else if json.isName(name, "callStacks") || json.isName(name, "callStackThreads") {
        try json.array("callStacks") { (_, json) throws(ProfileError) in stacks.append(try stack(&json)) }
      } else {
        try json.skip()
      }
    }
    guard !names.isEmpty else { return stacks }
    for stack in stacks.indices {
      for node in stacks[stack].nodes.indices where stacks[stack].nodes[node].name.isEmpty {
        stacks[stack].nodes[node].name = names[stacks[stack].nodes[node].uuid.uppercased()] ?? ""
      }
    }
    return stacks
  }

  private static func stack(_ json: inout JSONCursor) throws(ProfileError) -> CallStack {
    var stack = CallStack()
    try json.object("callStacks") { (name, json) throws(ProfileError) in
      if json.isName(name, "callStackRootFrames") || json.isName(name, "rootFrames") {
        stack.nodes = try nodes(&json)
      } else if json.isName(name, "threadAttributed"), json.next() != UInt8(ascii: "n") {
        stack.isAttributed = try json.bool("threadAttributed")
      } else {
        try json.skip()
      }
    }
    return stack
  }

  /// The names of images by their UUIDs: keys and values in turn, as Swift writes them.
  private static func imageNames(_ json: inout JSONCursor) throws(ProfileError) -> [String: String] {
    var names: [String: String] = [:]
    try json.array("binaryInfo") { (_, json) throws(ProfileError) in
      guard json.next() == UInt8(ascii: "{") else { return try json.skip() }
      var (uuid, image) = ("", "")
      try json.object("binaryInfo") { (name, json) throws(ProfileError) in
        if json.isName(name, "uuid"), json.next() == UInt8(ascii: "\"") {
          uuid = try json.string("uuid")
        } else if json.isName(name, "name"), json.next() == UInt8(ascii: "\"") {
          image = try json.string("name")
        } else {
          try json.skip()
        }
      }
      if !uuid.isEmpty { names[uuid.uppercased()] = image }
    }
    return names
  }

  /// Adds the stacks of a diagnostic; one of an unknown kind is told as those of samples are.
  private mutating func append(_ diagnostic: Diagnostic, _ json: JSONCursor) throws(ProfileError) {
    diagnostics += 1
    let kind = diagnostic.kind ?? .hang
    let title = "\(diagnostic.kind?.rawValue ?? "diagnostic") \(diagnostics)"
    try append(diagnostic.stacks, kind, title: title + (diagnostic.measure.map { ", \($0)" } ?? ""), json)
  }

  private mutating func append(
    _ stacks: [CallStack], _ kind: Kind, title: String, _ json: JSONCursor
  ) throws(ProfileError) {
    for (index, stack) in stacks.enumerated() {
      let mark = stack.isAttributed && kind == .crash ? ", crashed" : ""
      var thread = ProfileThread(
        name: "\(title), stack \(index + 1)\(mark)", id: Int64(index + 1), process: Int64(diagnostics))
      guard append(stack.nodes, kind, to: &thread) else {
        throw json.error(.tooDeep, ["limit": "\(Profile.deepest)"])
      }
      profile.threads.append(thread)
    }
  }

  /// The frames of a tree, callers before callees; gone through without calls, since trees are as deep as stacks.
  private static func nodes(_ json: inout JSONCursor) throws(ProfileError) -> [Node] {
    var nodes: [Node] = []
    var open: [Int] = []
    try json.expect(UInt8(ascii: "["))
    if json.take(UInt8(ascii: "]")) { return [] }
    while true {
      // The begin of a frame.
      guard json.take(UInt8(ascii: "{")) else { throw json.bad("callStackRootFrames") }
      nodes.append(Node(parent: open.last ?? -1))
      if let parent = open.last { nodes[parent].isLeaf = false }
      open.append(nodes.count - 1)
      var isFirst = true
      // Its members, and the ends of frames and lists, until the next frame begins.
      while true {
        if let node = open.last, !json.take(UInt8(ascii: "}")) {
          if !isFirst { try json.expect(UInt8(ascii: ",")) }
          isFirst = false
          if try member(&json, of: &nodes[node]) { break }
          continue
        }
        open.removeLast()
        isFirst = false
        if json.take(UInt8(ascii: ",")) { break }
        try json.expect(UInt8(ascii: "]"))
        if open.isEmpty { return nodes }
      }
    }
  }

  /// Reads a member of a frame.
  ///
  /// - Returns: True where it is a list of callees, and stands before the first of them.
  private static func member(_ json: inout JSONCursor, of node: inout Node) throws(ProfileError) -> Bool {
    let name = try json.name()
    if json.isName(name, "subFrames") {
      try json.expect(UInt8(ascii: "["))
      return !json.take(UInt8(ascii: "]"))
    }
    if json.isName(name, "binaryName"), json.next() == UInt8(ascii: "\"") {
      node.name = try json.string("binaryName")
    } else if json.isName(name, "symbolName"), json.next() == UInt8(ascii: "\"") {
      node.symbol = try json.string("symbolName")
    } else if json.isName(name, "binaryUUID"), json.next() == UInt8(ascii: "\"") {
      node.uuid = try json.string("binaryUUID")
    } else if json.next() == UInt8(ascii: "n") {
      // Swift may write null in place of a number.
      try json.skip()
    } else if json.isName(name, "address") {
      node.address = try address(&json, "address")
    } else if json.isName(name, "offsetIntoBinaryTextSegment") {
      node.offset = try address(&json, "offsetIntoBinaryTextSegment")
    } else if json.isName(name, "sampleCount") {
      node.count = max(0, try json.decimal("sampleCount"))
    } else {
      try json.skip()
    }
    return false
  }

  private static func address(_ json: inout JSONCursor, _ member: String) throws(ProfileError) -> UInt64 {
    UInt64(bitPattern: try json.identifier(member))
  }

  private mutating func append(_ nodes: [Node], _ kind: Kind, to thread: inout ProfileThread) -> Bool {
    var nodes = nodes
    for node in nodes where node.parent >= 0 {
      nodes[node.parent].below = nodes[node.parent].below.addingSaturating(node.count)
    }
    for index in nodes.indices {
      if kind != .crash {
        let node = nodes[index]
        let prefix = node.parent < 0 ? nil : nodes[node.parent].stack
        nodes[index].stack = profile.stack(on: prefix, frame: frame(node))
        guard profile.stacks.depths[nodes[index].stack] <= Profile.deepest else { return false }
        if node.own > 0 { thread.append(stack: nodes[index].stack, weight: node.own) }
      } else if nodes[index].isLeaf {
        guard let stack = stack(from: index, nodes) else { return false }
        thread.append(stack: stack, weight: nodes[index].own)
      }
    }
    return true
  }

  /// The stack from a leaf, which is the outermost function of a crash, to the root; nil where it is too deep.
  private mutating func stack(from leaf: Int, _ nodes: [Node]) -> Int? {
    var stack: Int?
    var next = leaf
    while next >= 0 {
      stack = profile.stack(on: stack, frame: frame(nodes[next]))
      steps += 1
      guard let stack, profile.stacks.depths[stack] <= Profile.deepest, steps <= Self.mostSteps else { return nil }
      next = nodes[next].parent
    }
    return stack
  }

  private mutating func frame(_ node: Node) -> Int {
    let offset = node.offset ?? 0
    let hasImage = !node.name.isEmpty || !node.uuid.isEmpty
    let image =
      hasImage
      ? profile.image(
        ProfileImage(
          name: node.name.isEmpty ? node.uuid : node.name, uuid: node.uuid, start: node.address &- offset)) : nil
    let place = image.map { "\(profile.images[$0].name) + 0x" + String(offset, radix: 16) }
    let name = node.symbol.isEmpty ? place ?? "0x" + String(node.address, radix: 16) : node.symbol
    let function = profile.function(name, image: image)
    return profile.frame(function, address: node.address)
  }
}
