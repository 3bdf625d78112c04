import MPaaSCrash
import MPaaSCrashReport

/// A small report with a bit of everything, for tests of what is made of one.
enum SampleReport {
  static func call(_ function: String, _ file: String? = nil, _ line: Int? = nil, inlined: Bool = false)
    -> CrashReport.Call
  {
    var call = CrashReport.Call(function: function)
    call.file = file
    call.line = line
    call.isInlined = inlined
    return call
  }

  static func frame(_ address: UInt64, image: Int? = nil, _ calls: CrashReport.Call...) -> CrashReport.Frame {
    var frame = CrashReport.Frame(address: address)
    frame.image = image
    frame.calls = calls
    return frame
  }

  static let bookBase: UInt64 = 0x5555_5555_4000
  static let libraryBase: UInt64 = 0x7fff_f7c0_0000

  static var orderBook: CrashReport {
    var report = CrashReport()
    report.incident = "0B8E9E1B-5D0C-4C35-9E3A-1D1A5F1E0A11"
    report.captured = CrashReport.Timestamp(seconds: 1_763_729_000, nanoseconds: 250_000_000)
    report.application.name = "orderbook"
    report.application.version = "1.2"
    report.application.build = "34"
    report.system.name = "Debian GNU/Linux"
    report.system.version = "12"
    report.process.name = "orderbook"
    report.process.pid = 4711
    report.process.path = "/opt/orderbook/orderbook"
    report.process.cpuType = "X86-64"
    report.exception = CrashReport.Exception(signal: 4, code: 2, address: 0x5555_5555_5234, sender: 0, table: .linux)
    report.lastWords = ["libswiftCore.so": ["Fatal error: Index out of range"]]
    report.breadcrumbs = [CrashReport.Breadcrumb(time: report.captured, name: "order 17 placed")]
    report.images = [
      CrashReport.Image(
        base: bookBase, size: 0x8000, buildID: "0123456789abcdef0123456789abcdef01234567",
        path: "/opt/orderbook/orderbook", architecture: "x86_64", slide: bookBase),
      CrashReport.Image(
        base: libraryBase, size: 0x1000, buildID: "ffeeddccbbaa99887766554433221100",
        path: "/usr/lib/swift/libswiftCore.so",
        architecture: "x86_64", slide: libraryBase),
    ]
    var matcher = CrashReport.Thread(id: 4713)
    matcher.name = "matcher"
    matcher.frames = [
      frame(libraryBase + 0x100, image: 1, call("_assertionFailure(_:_:file:line:flags:)")),
      frame(
        bookBase + 0x1234, image: 0,
        call("Array.subscript.getter", "/src/swift/stdlib/public/core/Array.swift", 5, inlined: true),
        call("Ladder.level(at:)", "/src/OrderBook/Ladder.swift", 3, inlined: true),
        call("Matcher.match(_:)", "/src/OrderBook/Matcher.swift", 40)),
      frame(bookBase + 0x2000, image: 0, call("main")),
    ]
    matcher.registers = CrashReport.Registers(
      flavor: "x86_THREAD_STATE",
      values: ["rax", "rbx", "rcx", "rdx", "rip"].enumerated().map { .init($1, UInt64($0)) })
    var main = CrashReport.Thread(id: 4711)
    main.frames = [frame(libraryBase + 0x200, image: 1), frame(0x10)]
    report.threads = [main, matcher, main, main]
    report.faultingThread = 1
    return report
  }
}
