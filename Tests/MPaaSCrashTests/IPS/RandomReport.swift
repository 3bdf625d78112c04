import MPaaSCrash
import MPaaSCrashReport
import MPaaSTestSupport

/// Reports with every member set to something awkward.
struct RandomReport {
  private var generator: SeededRandom

  init(seed: UInt64) {
    generator = SeededRandom(seed: seed)
  }

  mutating func report() -> CrashReport {
    var report = CrashReport()
    report.incident = text()
    report.origin = [.inProcess, .traced, .attached, .core, .foreign].randomElement(using: &generator) ?? .core
    report.isPartial = bool()
    report.captured = time()
    report.launched = maybe { $0.time() }
    report.application = application()
    report.system = system()
    report.process = process()
    report.exception = maybe { $0.exception() }
    report.lastWords = Dictionary(many { ($0.text(), $0.many { $0.text() }) }) { $1 }
    report.notes = many { $0.text() }
    report.breadcrumbs = many { CrashReport.Breadcrumb(time: $0.time(), name: $0.text()) }
    report.images = many { $0.image() }
    let count = report.images.count
    report.threads = many { $0.thread(images: count) }
    report.faultingThread = report.threads.indices.randomElement(using: &generator)
    for thread in report.threads.indices {
      for index in report.threads[thread].frames.indices {
        guard let image = report.threads[thread].frames[index].image else { continue }
        let base = report.images[image].base
        let address = base &+ UInt64.random(in: 0...0xffff, using: &generator)
        report.threads[thread].frames[index].address = address
      }
    }
    return report
  }

  private mutating func application() -> CrashReport.Application {
    var application = CrashReport.Application()
    application.name = text()
    application.identifier = maybe { $0.text() }
    application.version = maybe { "1." + $0.text() }
    application.build = maybe { "2." + $0.text() }
    application.appKey = maybe { $0.text() }
    application.userIDHash = maybe { $0.text() }
    return application
  }

  private mutating func system() -> CrashReport.OperatingSystem {
    var system = CrashReport.OperatingSystem()
    system.name = ["Debian GNU/Linux 12", "iPhone OS", "", text()].randomElement(using: &generator) ?? ""
    system.version = ["", "17.1", "12 (bookworm)", text()].randomElement(using: &generator) ?? ""
    system.build = ["", "21B74", text()].randomElement(using: &generator) ?? ""
    system.kernel = maybe { $0.text() }
    system.model = maybe { $0.text() }
    return system
  }

  private mutating func process() -> CrashReport.Process {
    var process = CrashReport.Process()
    process.name = text()
    process.path = "/bin/" + text()
    process.pid = .random(in: .min ... .max, using: &generator)
    process.parentName = maybe { $0.text() }
    process.parentPID = maybe { .random(in: 0 ... .max, using: &$0.generator) }
    process.userID = maybe { .random(in: 0 ... .max, using: &$0.generator) }
    process.cpuType = ["X86-64", "ARM-64"].randomElement(using: &generator) ?? ""
    process.systemUptime = maybe { .random(in: 0...1e7, using: &$0.generator) }
    process.uptime = maybe { .random(in: 0...1e7, using: &$0.generator) }
    process.freeMemory = maybe { $0.generator.next() }
    process.residentMemory = maybe { $0.generator.next() }
    return process
  }

  private mutating func exception() -> CrashReport.Exception {
    var exception = CrashReport.Exception(
      signal: .random(in: 1...31, using: &generator), code: .random(in: -6...10, using: &generator), address: 0,
      sender: 0)
    exception.address = maybe { $0.generator.next() }
    exception.senderPID = maybe { .random(in: 0 ... .max, using: &$0.generator) }
    return exception
  }

  private mutating func thread(images: Int) -> CrashReport.Thread {
    var thread = CrashReport.Thread(id: generator.next())
    thread.name = maybe { $0.text() }
    thread.frames = many { $0.frame(images: images) }
    thread.registers = maybe { $0.registers() }
    return thread
  }

  private mutating func registers() -> CrashReport.Registers {
    var names = ["rax", "rip", "rsp", "r8", "rflags", "cr2", "own", "x0", "x1", "pc"]
    if bool() { names.shuffle(using: &generator) }
    return CrashReport.Registers(
      flavor: "x86_THREAD_STATE", values: names.map { .init($0, generator.next()) })
  }

  private mutating func frame(images: Int) -> CrashReport.Frame {
    let kind: CrashReport.Frame.Kind =
      [.physical, .interrupted, .asynchronous].randomElement(using: &generator) ?? .physical
    // Few addresses, so that neighbours often share one.
    var frame = CrashReport.Frame(address: .max - .random(in: 0...2, using: &generator), kind: kind)
    frame.image = images > 0 && bool() ? Int.random(in: 0..<images, using: &generator) : nil
    frame.calls = many { $0.call() }
    // Only the outermost function is not inlined, and even that may be unknown.
    for index in frame.calls.indices.dropLast() { frame.calls[index].isInlined = true }
    return frame
  }

  private mutating func call() -> CrashReport.Call {
    var call = CrashReport.Call(function: text())
    call.symbol = maybe { $0.text() }
    call.offset = maybe { $0.generator.next() }
    call.file = maybe { "/src/" + $0.text() }
    call.line = maybe { .random(in: 0...100_000, using: &$0.generator) }
    call.column = maybe { .random(in: 0...200, using: &$0.generator) }
    call.isInlined = bool()
    return call
  }

  private mutating func image() -> CrashReport.Image {
    let base = generator.next()
    let digits = [0, 2, 32, 40, 64].randomElement(using: &generator) ?? 0
    let buildID = (0..<digits).map { _ in String(generator.next() & 15, radix: 16) }.joined()
    return CrashReport.Image(
      base: base, size: generator.next(), buildID: buildID, path: "/lib/" + text(), architecture: "x86_64",
      slide: bool() ? base : 0)
  }

  private mutating func time() -> CrashReport.Timestamp {
    CrashReport.Timestamp(
      seconds: .random(in: -10_000_000_000...100_000_000_000, using: &generator),
      nanoseconds: bool() ? 123_400_000 : .random(in: 0..<1_000_000_000, using: &generator),
      utcOffset: [0, 28_800, -12_600].randomElement(using: &generator) ?? 0)
  }

  private mutating func bool() -> Bool {
    Bool.random(using: &generator)
  }

  private mutating func maybe<Value>(_ make: (inout RandomReport) -> Value) -> Value? {
    bool() ? make(&self) : nil
  }

  private mutating func many<Value>(_ make: (inout RandomReport) -> Value) -> [Value] {
    (0..<Int.random(in: 0...4, using: &generator)).map { _ in make(&self) }
  }

  private mutating func text() -> String {
    let pieces = ["", "a", "订单簿", "\u{0}", "\n", "\"", "\\", "/", " 12", "😀", "e\u{301}", "\u{7f}", "(x)", "::"]
    return many { pieces.randomElement(using: &$0.generator) ?? "" }.joined()
  }
}
