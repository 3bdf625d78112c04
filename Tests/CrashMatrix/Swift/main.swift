import Dispatch

#if OPTIMIZED
  import CCrashMatrixOptimized
#else
  import CCrashMatrix
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

// CrashMatrix CASE [--report-to DIR]: crashes in the way that CASE names; with --report-to after the in-process
// reporter was turned on for DIR. Ends with status 2 for an unknown case, 3 where the crash could not be prepared.

/// Keeps the compiler from knowing the value.
@inline(never) func opaque<Value>(_ value: Value) -> Value {
  withUnsafePointer(to: value) { UnsafePointer($0).pointee }
}

class Instrument {}
final class Share: Instrument {}
final class Bond: Instrument {}

@inline(never) func fatalErrorCase() {
  fatalError("no price for ACME")  // crash: swift-fatal-error
}

@inline(never) func preconditionCase(_ count: Int) {
  precondition(count > 0, "an order needs a quantity")  // crash: precondition
}

@inline(never) func arrayIndex(_ index: Int) -> Int {
  let prices = [1, 2, opaque(3)]
  return prices[index]  // crash: array-index
}

@inline(never) func forceUnwrap(_ text: String) -> Int {
  // swift-format-ignore: NeverForceUnwrap
  return Int(text)!  // crash: force-unwrap
}

@inline(never) func integerOverflow(_ value: Int) -> Int {
  return value + 1  // crash: integer-overflow
}

@inline(never) func failedCast(_ instrument: Instrument) -> Bond {
  // swift-format-ignore: NeverForceUnwrap
  return instrument as! Bond  // crash: failed-cast
}

@inline(never) func settle(_ index: Int) async -> Int {
  await Task.yield()
  let lots = [opaque(10)]
  return lots[index]  // crash: async-task
}

@inline(never) func clear(_ index: Int) async -> Int {
  let settled = await settle(index)
  return settled + 1
}

@inline(never) func closeDay(_ index: Int) async -> Int {
  let cleared = await clear(index)
  return cleared * 2
}

@inline(never) func asyncTask() {
  let done = DispatchSemaphore(value: 0)
  Task {
    _ = opaque(await closeDay(opaque(3)))
    done.signal()
  }
  done.wait()
}

func runSwiftCase(_ name: String) -> Bool {
  switch name {
  case "swift-fatal-error": fatalErrorCase()
  case "precondition": preconditionCase(opaque(0))
  case "array-index": _ = opaque(arrayIndex(opaque(5)))
  case "force-unwrap": _ = opaque(forceUnwrap(opaque("x")))
  case "integer-overflow": _ = opaque(integerOverflow(opaque(Int.max)))
  case "failed-cast": _ = opaque(failedCast(opaque(Share())))
  case "async-task": asyncTask()
  default: return false
  }
  return true
}

let arguments = CommandLine.arguments.dropFirst()
guard let name = arguments.first else { exit(2) }
if let option = arguments.firstIndex(of: "--report-to"), option + 1 < CommandLine.arguments.count {
  let problem = crash_case_report_to(CommandLine.arguments[option + 1])
  if problem != 0 { exit(3) }
}
if !runSwiftCase(name), crash_case_run(name) == 0 { exit(2) }
