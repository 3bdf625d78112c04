internal import CLua
import MPaaSHotpatch
internal import MPaaSSupport
import MPaaSTime
internal import MPaaSTrust
internal import Synchronization

/// Tries a patch out without its app: against a list of symbols, whose functions do nothing.
package final class PatchHarness: Sendable {
  private let request: HarnessRequest
  private let registry: PatchRegistry
  private let report = Mutex(HarnessReport())
  private let targets = Mutex<[String: HarnessTarget]>([:])
  private let testState = Mutex<PatchState?>(nil)
  private let currentTest = Mutex<(file: String, name: String?)>(("", nil))

  package init(_ request: HarnessRequest) {
    self.request = request
    registry = PatchRegistry(isComplete: request.symbols != nil)
  }

  /// Loads the patch, calls what is to be called, runs the tests.
  package func run() -> HarnessReport {
    let clock = ContinuousClock()
    let start = clock.now
    let state = Mutex<PatchState?>(nil)
    runPatch { begun in state.withLock { $0 = begun } }
    return report.withLock { report in
      report.milliseconds = Int((clock.now - start) / .milliseconds(1))
      if let handle = state.withLock({ $0 })?.handle {
        report.instructions = Int(clamping: mp_lua_instructions(handle))
        report.memory = Int(clamping: mp_lua_memory_peak(handle))
      }
      return report
    }
  }

  private func runPatch(_ begins: @escaping @Sendable (PatchState) -> Void) {
    do {
      try offerSymbols()
      var configuration = PatchRuntime.Configuration(
        limits: limits,
        log: { [self] line in
          report.withLock { report in
            guard report.log.count < HarnessReport.most else { return }
            report.log.append(.init(text: line.text, file: line.file, line: line.line))
          }
        })
      configuration.begins = begins
      let runtime = try PatchRuntime(
        name: "harness", files: request.files, registry: registry, configuration: configuration)
      for name in runtime.awaitedSymbols { registry.add(target(name, .init([], .any))) }
      report.withLock { $0.symbols = runtime.symbols }
      if let name = request.call { try call(name) }
      for (path, text) in request.tests.sorted(by: { $0.key < $1.key }) { runTests(path, text) }
    } catch {
      fail(error)
    }
  }

  private var limits: PatchLimits {
    var limits = PatchLimits(
      instructions: request.instructions, time: .milliseconds(request.milliseconds), memory: request.memory)
    limits.step = 1
    return limits
  }

  private func fail(_ error: any Error) {
    let failure =
      (error as? PatchFailure) ?? PatchFailure(.files, "\((error as? TrustError)?.identifier ?? "\(error)")")
    report.withLock { $0.failures.append(.init(failure)) }
  }

  private func offerSymbols() throws {
    guard var text = request.symbols else { return }
    let list = try text.withUTF8 { bytes in
      try SymbolList(reading: UnsafeRawBufferPointer(bytes), file: "symbols")
    }
    for (name, signature) in list.functions { registry.add(target(name, signature)) }
    for (name, signature) in list.exports {
      registry.add(name, signature.parameters, signature.result) { [self] stack, first in
        let arguments = try stack.values(from: first)
        let result = try stack.unlocked { () throws in try original(name, arguments, signature) }
        try result.push(on: stack)
        return .results(1)
      }
    }
  }

  private func target(_ name: String, _ signature: SymbolList.Signature) -> HarnessTarget {
    let target = HarnessTarget(name, signature) { [self] name, arguments in
      try original(name, arguments, signature)
    }
    targets.withLock { $0[name] = target }
    return target
  }

  /// The result of an original or an export: a test's stub, or nothing to speak of.
  ///
  /// The call is noted.
  private func original(_ name: String, _ arguments: [LuaValue], _ signature: SymbolList.Signature) throws -> LuaValue {
    let stub = try testState.withLock { $0 }?.stub(name, arguments)
    let result = stub ?? .none(of: signature.result)
    report.withLock { report in
      guard report.calls.count < HarnessReport.most else { return }
      report.calls.append(
        .init(name: name, arguments: JSONValue.array(arguments.map(\.json)).line, result: result.json.line))
    }
    return result
  }

  private func call(_ name: String) throws {
    guard let target = targets.withLock({ $0[name] }) else {
      throw PatchFailure(.files, "no function '\(name)' to call")
    }
    var text = request.arguments ?? "[]"
    let json = try text.withUTF8 { try JSONValue(reading: UnsafeRawBufferPointer($0)) }
    let result = try target.call((json.array ?? [json]).map { LuaValue($0) })
    report.withLock { $0.result = result.json.line }
  }

  // MARK: Tests

  private func runTests(_ path: String, _ text: String) {
    currentTest.withLock { $0 = (path, nil) }
    do {
      var limits = limits
      limits.instructions *= 10
      limits.time *= 10
      limits.step = nil
      let state = try PatchState(name: path, limits: limits, find: { _ in nil }, log: { _ in })
      try export(to: state)
      try state.add(TestPrelude.text, as: "prelude", path: "prelude.lua")
      try state.add(text, as: "tests", path: path)
      try state.load("prelude")
      testState.withLock { $0 = state }
      defer { testState.withLock { $0 = nil } }
      try state.load("tests")
      if !report.withLock({ $0.tests.contains { $0.file == path } }) {
        finish(PatchFailure(.files, "no test in this file"))
      }
    } catch {
      finish(error)
    }
  }

  /// A file that ended in the midst of a test, or outside of any.
  private func finish(_ failure: PatchFailure) {
    let (file, name) = currentTest.withLock { $0 }
    report.withLock {
      $0.tests.append(.init(file: file, name: name ?? file, passed: false, message: failure.message))
    }
  }

  private func export(to state: PatchState) throws(PatchFailure) {
    try state.export("call") { [self] stack, first in
      var arguments = try stack.values(from: first)
      guard case .string(let name)? = arguments.first else { throw PatchValueError("call: a function's name expected") }
      arguments.removeFirst()
      guard let target = targets.withLock({ $0[name] }) else { throw PatchValueError("no function '\(name)' to call") }
      let result = stack.unlocked { () -> Result<LuaValue, any Error> in Result { try target.call(arguments) } }
      switch result {
      case .success(let value): try value.push(on: stack)
      case .failure(let error): throw PatchValueError((error as? PatchFailure)?.description ?? "\(error)")
      }
      return .results(1)
    }
    try state.export("calls") { [self] stack, first in
      let name = try stack.text(first)
      let count = report.withLock { report in report.calls.count { $0.name == name } }
      try count.push(on: stack)
      return .results(1)
    }
    try state.export("harness.begin") { [self] stack, first in
      let name = try stack.text(first)
      currentTest.withLock { $0.name = name }
      report.withLock { $0.calls = [] }
      return .results(0)
    }
    try state.export("harness.finish") { [self] stack, first in
      let passed = try Bool.read(from: stack, at: first)
      let message = try stack.text(first + 1)
      let (file, name) = currentTest.withLock { $0 }
      report.withLock { $0.tests.append(.init(file: file, name: name ?? "", passed: passed, message: message)) }
      currentTest.withLock { $0.name = nil }
      return .results(0)
    }
  }
}

extension PatchState {
  /// The result that a test set for the original of `name` gives; nil where it said nothing.
  func stub(_ name: String, _ arguments: [LuaValue]) throws -> LuaValue? {
    guard let call = mp_lua_begin_global(handle, "__original") else { return nil }
    let stack = PatchStack(call, self)
    defer { stack.end() }
    try name.push(on: stack)
    for argument in arguments { try argument.push(on: stack) }
    let status = mp_lua_run(call, 0)
    guard status == MP_LUA_DONE else { throw PatchFailure(status: status, of: call, symbol: name) }
    guard case .table(let answer) = try LuaValue.read(from: stack, at: 1), answer["known"] == .boolean(true) else {
      return nil
    }
    return answer["value"] ?? .null
  }
}
