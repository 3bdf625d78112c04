import MPaaSSupport

/// Payloads of MetricKit: call-stack trees of hangs, crashes, processor and disk exceptions, and slow launches.
///
/// Each call stack becomes a thread that is named by its diagnostic. A frame counts the samples that its callees do not.
/// Trees are told from the outermost function inwards, except the stacks of crashes, which begin with the innermost.
/// Functions are named by image and offset: payloads have no symbols.
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
    case crash, hang, cpuException, diskWriteException, appLaunch

    var member: String { rawValue + "Diagnostics" }
  }

  private init(file: String) {
    self.file = file
    profile = Profile(name: file)
  }

  /// Reads a payload, or a call-stack tree alone.
  ///
  /// - Throws: `profile-not-json`, `profile-bad-member`, `profile-too-deep`; `profile-without-stacks` for a payload of
  ///   metrics.
  static func profile(_ bytes: UnsafeRawBufferPointer, file: String) throws(ProfileError) -> Profile {
    var reader = MetricKitReader(file: file)
    var json = JSONCursor(bytes, file: file)
    try json.object("$") { (name, json) throws(ProfileError) in
      let text = json.text(name)
      if let kind = Kind.allCases.first(where: { $0.member == text }) {
        try json.array(text) { (_, json) throws(ProfileError) in try reader.diagnostic(&json, kind) }
      } else if text == "callStackTree" {
        reader.diagnostics += 1
        try reader.append(Self.stacks(&json), .hang, title: "hang 1", json)
      } else {
        if text.hasSuffix("Metrics") { reader.isMetric = true }
        try json.skip()
      }
    }
    try json.end()
    guard !reader.profile.threads.isEmpty else {
      throw ProfileError(
        .withoutStacks, ["file": file, "kind": reader.isMetric ? "MXMetricPayload" : "MXDiagnosticPayload"],
        at: .file(file))
    }
    return reader.profile
  }

  private mutating func diagnostic(_ json: inout JSONCursor, _ kind: Kind) throws(ProfileError) {
    diagnostics += 1
    var stacks: [CallStack] = []
    var length: String?
    try json.object(kind.member) { (name, json) throws(ProfileError) in
      if json.isName(name, "callStackTree") {
        stacks = try Self.stacks(&json)
      } else if json.isName(name, "diagnosticMetaData"), json.next() == UInt8(ascii: "{") {
        try json.object("diagnosticMetaData") { (name, json) throws(ProfileError) in
          let text = json.text(name)
          guard ["hangDuration", "totalCPUTime", "writesCaused", "launchDuration"].contains(text),
            json.next() == UInt8(ascii: "\"")
          else { return try json.skip() }
          length = try json.string(text)
        }
      } else {
        try json.skip()
      }
    }
    try append(stacks, kind, title: "\(kind.rawValue) \(diagnostics)" + (length.map { ", \($0)" } ?? ""), json)
  }

  private static func stacks(_ json: inout JSONCursor) throws(ProfileError) -> [CallStack] {
    var stacks: [CallStack] = []
    try json.object("callStackTree") { (name, json) throws(ProfileError) in
      guard json.isName(name, "callStacks") else { return try json.skip() }
      try json.array("callStacks") { (_, json) throws(ProfileError) in
        var stack = CallStack()
        try json.object("callStacks") { (name, json) throws(ProfileError) in
          if json.isName(name, "callStackRootFrames") {
            stack.nodes = try nodes(&json)
          } else if json.isName(name, "threadAttributed") {
            stack.isAttributed = try json.bool("threadAttributed")
          } else {
            try json.skip()
          }
        }
        stacks.append(stack)
      }
    }
    return stacks
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
    } else if json.isName(name, "binaryUUID"), json.next() == UInt8(ascii: "\"") {
      node.uuid = try json.string("binaryUUID")
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
    UInt64(bitPattern: try json.decimal(member))
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
    let function = profile.function(place ?? "0x" + String(node.address, radix: 16), image: image)
    return profile.frame(function, address: node.address)
  }
}
