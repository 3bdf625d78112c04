import MPaaSCrashReport
import MPaaSSupport

/// The stacks of a call-stack tree, as threads with one frame below the other.
///
/// Trees of samples have the outermost frame at the root; the stacks of a crash have the innermost one there. Which it is
/// is told by the branches, and by the images that threads begin in.
struct MetricKitStacks {
  private(set) var threads: [CrashReport.Thread] = []
  private(set) var images: [CrashReport.Image] = []
  /// The thread that the system blames.
  private(set) var attributed: Int?
  /// The samples that the blamed stack is of.
  private(set) var agreeing = 0
  private let architecture: String
  private var known: [String: Int] = [:]
  /// The names of images by their UUIDs, where they do not stand in the frames.
  private var names: [String: String] = [:]

  /// Frames of one stack.
  private static let longest = 4096
  /// The images in which threads begin.
  private static let beginnings: Set<String> = ["dyld", "libdyld.dylib", "libsystem_pthread.dylib"]

  init(architecture: String) {
    self.architecture = architecture
  }

  private struct Node {
    let frame: JSONValue.Object
    let samples: Int
  }

  /// Reads a tree, or each of an array of trees.
  mutating func read(trees: JSONValue, path: String) throws(ReportError) {
    guard let array = trees.array else {
      guard let tree = trees.object else {
        throw ReportError(.wrongKind(path: path, expected: "object", found: trees.kind))
      }
      return try read(tree, path: path)
    }
    for (index, element) in array.enumerated() {
      guard let tree = element.object else {
        throw ReportError(.wrongKind(path: "\(path)[\(index)]", expected: "object", found: element.kind))
      }
      try read(tree, path: "\(path)[\(index)]")
    }
  }

  private mutating func read(_ tree: JSONValue.Object, path: String) throws(ReportError) {
    // iOS 27 has the names of images beside the stacks, once each.
    names = Self.names(tree["binaryInfo"])
    let list = tree["callStackThreads"] == nil ? "callStacks" : "callStackThreads"
    guard let stacks = tree[list]?.array else {
      guard let found = tree[list] else { throw ReportError(.missing(path: "\(path).\(list)")) }
      throw ReportError(.wrongKind(path: "\(path).\(list)", expected: "array", found: found.kind))
    }
    let isByThread = tree["callStackPerThread"]?.bool ?? false
    for (index, stack) in stacks.enumerated() {
      let path = "\(path).\(list)[\(index)]"
      guard let stack = stack.object else {
        throw ReportError(.wrongKind(path: path, expected: "object", found: stack.kind))
      }
      try read(stack, isByThread: isByThread, path: path)
    }
  }

  /// The names by UUIDs of `binaryInfo`, which Swift writes as keys and values in turn.
  private static func names(_ info: JSONValue?) -> [String: String] {
    var names: [String: String] = [:]
    for element in info?.array ?? info?.object.map({ Array($0.values) }) ?? [] {
      guard let image = element.object, let uuid = image["uuid"]?.string else { continue }
      names[uuid.uppercased()] = image["name"]?.string
    }
    return names
  }

  private mutating func read(
    _ stack: JSONValue.Object, isByThread: Bool, path: String
  ) throws(ReportError) {
    let list = stack["rootFrames"] == nil ? "callStackRootFrames" : "rootFrames"
    let (nodes, hasBranches) = try heaviest(stack[list]?.array ?? [], path: "\(path).\(list)")
    var thread = CrashReport.Thread(id: UInt64(threads.count))
    let isInnermostFirst = !hasBranches && begins(nodes, isByThread: isByThread)
    for node in isInnermostFirst ? nodes : nodes.reversed() { thread.frames.append(frame(node.frame)) }
    if stack["threadAttributed"]?.bool == true, attributed == nil {
      attributed = threads.count
      agreeing = nodes.last?.samples ?? 0
    }
    threads.append(thread)
  }

  /// Tells whether the first of a chain is the innermost frame.
  private func begins(_ nodes: [Node], isByThread: Bool) -> Bool {
    func isBeginning(_ node: Node?) -> Bool {
      node?.frame["binaryName"]?.string.map(Self.beginnings.contains) ?? false
    }
    switch (isBeginning(nodes.first), isBeginning(nodes.last)) {
    case (true, false): return false
    case (false, true): return true
    default: return isByThread
    }
  }

  /// The way through a tree that goes to the frame with most samples, as far as more than half of all are in it.
  private func heaviest(
    _ roots: [JSONValue], path: String
  ) throws(ReportError) -> (nodes: [Node], hasBranches: Bool) {
    var nodes: [Node] = []
    var next = roots
    var total = 0
    var hasBranches = false
    while !next.isEmpty, nodes.count < Self.longest {
      var best: Node?
      var sum = 0
      for element in next {
        guard let frame = element.object else {
          throw ReportError(.wrongKind(path: path, expected: "object", found: element.kind))
        }
        let samples = max(frame["sampleCount"]?.integer(Int.self) ?? 1, 0)
        sum = sum.addingReportingOverflow(samples).partialValue
        if best.map({ samples > $0.samples }) ?? true { best = Node(frame: frame, samples: samples) }
      }
      guard let best else { break }
      if nodes.isEmpty { total = sum } else if next.count > 1, best.samples <= total / 2 { break }
      hasBranches = hasBranches || next.count > 1
      nodes.append(best)
      next = best.frame["subFrames"]?.array ?? []
    }
    return (nodes, hasBranches)
  }

  private mutating func frame(_ object: JSONValue.Object) -> CrashReport.Frame {
    let address: UInt64 = JSONMembers.address(object["address"]) ?? 0
    let offset: UInt64 = JSONMembers.address(object["offsetIntoBinaryTextSegment"]) ?? 0
    var frame = CrashReport.Frame(address: address)
    frame.calls = Self.calls(object)
    let uuid = object["binaryUUID"]?.string ?? ""
    let name = object["binaryName"]?.string ?? names[uuid.uppercased()] ?? ""
    guard !uuid.isEmpty || !name.isEmpty else { return frame }
    // Older systems give the place of the image instead of the distance from it.
    let base = offset <= address ? address - offset : offset
    let key = "\(uuid) \(name) \(base)"
    if let place = known[key] {
      frame.image = place
      return frame
    }
    known[key] = images.count
    frame.image = images.count
    images.append(
      CrashReport.Image(
        base: base, size: 0, buildID: IPSWriter.buildID(ofUUID: uuid), path: name, architecture: architecture,
        slide: base))
    return frame
  }

  /// The function that App Store Connect found for a frame.
  private static func calls(_ object: JSONValue.Object) -> [CrashReport.Call] {
    guard let symbol = object["symbolName"]?.string, !symbol.isEmpty else { return [] }
    var call = CrashReport.Call(function: symbol)
    call.offset = JSONMembers.address(object["offsetIntoSymbol"])
    if let file = object["fileName"]?.string, !file.isEmpty { call.file = file }
    call.line = object["lineNumber"]?.integer() ?? object["lineNumber"]?.string.flatMap { Int($0) }
    return [call]
  }
}
