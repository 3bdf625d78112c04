import CAppLog
import Foundation
import Logging
import MPaaSLogHandler
import Synchronization
import Testing

@testable import MPaaSLogs

/// Keeps what was logged.
final class KeptEntries: LogSink {
  private let kept = Mutex<[LogEntry]>([])

  var entries: [LogEntry] { kept.withLock { $0 } }
  func append(_ entry: LogEntry) { kept.withLock { $0.append(entry) } }
  func flush() {}
}

/// One after another: the log is one for the process.
@Suite("The app's log", .serialized) struct LogTests {
  static func settings(_ level: LogLevel = .info, _ redaction: LogRedaction = .always) -> LogSettings {
    var settings = LogSettings(minimumLevel: level)
    settings.redaction = redaction
    return settings
  }

  static func logged(_ settings: LogSettings = settings(), _ body: () -> Void) -> [LogEntry] {
    let sink = KeptEntries()
    Log.begin(sink, settings)
    body()
    Log.end()
    return sink.entries
  }

  @Test("has each level and subsystem, and makes no message that nobody keeps")
  func levels() {
    var made = 0
    func expensive() -> LogMessage {
      made += 1
      return "dear"
    }
    let entries = Self.logged {
      Log.fatal("A", "1")
      Log.error("A", "2")
      Log.warning("A", "3")
      Log.info("A", "4", ["page": "home", "n": 3, "ok": true, "ratio": 0.5])
      Log.debug("A", expensive())
      Log(subsystem: "pay").verbose("A", expensive())
      Log(subsystem: "pay").info("A", "5")
    }
    #expect(made == 0)
    #expect(entries.map(\.level) == [.fatal, .error, .warning, .info, .info])
    #expect(entries.map(\.message) == ["1", "2", "3", "4", "5"])
    #expect(entries.map(\.subsystem) == ["", "", "", "", "pay"])
    #expect(
      entries[3].fields == [
        LogField("page", .text("home")), LogField("n", .integer(3)), LogField("ok", .flag(true)),
        LogField("ratio", .real(0.5)),
      ])
  }

  @Test("a subsystem may have a least level of its own")
  func subsystemLevels() {
    var settings = Self.settings(.warning)
    settings.subsystemLevels = ["pay": .debug, "ads": .error]
    let entries = Self.logged(settings) {
      for log in [Log(subsystem: "pay"), Log(subsystem: "ads"), Log(subsystem: "")] {
        log.debug("T", "debug")
        log.warning("T", "warning")
      }
      #expect(Log.isLogged(.debug, subsystem: "pay"))
      #expect(!Log.isLogged(.debug))
    }
    #expect(entries.map { $0.subsystem + $0.message } == ["paydebug", "paywarning", "warning"])
  }

  @Test("texts are private unless they say otherwise, numbers public, and a hash is the same for the same value")
  func privacy() {
    let (name, card, count) = ("Li Lei", "6222", 3)
    var settings = Self.settings()
    settings.hashKey = [1, 2, 3]
    let entries = Self.logged(settings) {
      Log.info("P", "\(name) \(name, privacy: .public) \(count) \(true) \(1.5) \(count, privacy: .private)")
      Log.info("P", "\(card, privacy: .hash)", ["a": .hash(card), "b": .private(name), "c": .private(7)])
      Log.info("P", "\([1, 2])")
    }
    #expect(entries[0].message == "<private> Li Lei 3 true 1.5 <private>")
    #expect(entries[1].message.hasPrefix("<hash:"))
    #expect(!entries[1].message.contains(card))
    #expect(entries[1].fields[0].value == .text(entries[1].message))
    #expect(entries[1].fields[1].value == .text("<private>"))
    #expect(entries[1].fields[2].value == .text("<private>"))
    #expect(entries[2].message == "<private>")
    let open = Self.logged(Self.settings(.info, .never)) { Log.info("P", "\(name) \(name, privacy: .private)") }
    #expect(open[0].message == "Li Lei Li Lei")
  }

  @Test("a sample of devices logs, the same ones each time, and errors come from all")
  func sampling() {
    func count(_ perMille: Int) -> Int {
      (0..<500).filter { device in
        var settings = Self.settings()
        settings.samplingPerMille = perMille
        settings.device = "device-\(device)"
        let entries = Self.logged(settings) {
          Log.info("S", "info")
          Log.error("S", "error")
        }
        #expect(entries.contains { $0.level == .error })
        return entries.count == 2
      }.count
    }
    #expect(count(0) == 0)
    #expect(count(1000) == 500)
    let some = count(300)
    #expect((100..<200).contains(some))
    #expect(some == count(300))
  }

  @Test("takes lines of C while it has begun, of any length")
  func appLog() {
    let long = String(repeating: "é", count: 5000)
    mp_app_log("C", "nobody")
    let entries = Self.logged {
      mp_app_log("C", "100 % \(long)")
    }
    mp_app_log("C", "nobody")
    #expect(entries.map(\.message) == ["100 % \(long)"])
    #expect(entries[0].tag == "C")
    #expect(entries[0].level == .info)
  }

  @Test("is a back end of swift-log, whose metadata become fields")
  func swiftLog() {
    let sink = KeptEntries()
    var logger = Logger(label: "net") { MPaaSLogHandler($0, sink: sink) }
    logger[metadataKey: "request"] = "7"
    logger.warning("slow", metadata: ["ms": "\(120)"])
    logger.debug("left out")
    #expect(
      sink.entries == [
        LogEntry(
          .warning, "net", "slow", fields: [LogField("ms", .text("120")), LogField("request", .text("7"))])
      ])
  }

  @Test("threads log while it begins and ends")
  func threads() async {
    let sink = KeptEntries()
    await withTaskGroup { group in
      for thread in 0..<8 {
        group.addTask { for number in 0..<500 { Log.info("T", "\(thread) \(number)") } }
      }
      group.addTask {
        for _ in 0..<200 {
          Log.begin(sink, Self.settings())
          Log.end()
        }
      }
    }
    #expect(Set(sink.entries.map(\.message)).count == sink.entries.count)
  }
}
