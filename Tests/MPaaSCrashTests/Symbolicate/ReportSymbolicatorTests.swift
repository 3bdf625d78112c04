import MPaaSCrash
import MPaaSCrashReport
import MPaaSSymbols
import Synchronization
import Testing

/// The questions of a symbolicator.
private final class Asked: Sendable {
  let opened = Mutex<[String]>([])
  let addresses = Mutex<[UInt64]>([])

  var symbolicator: ReportSymbolicator {
    ReportSymbolicator { image in
      self.opened.withLock { $0.append(image.name) }
      return ImageSymbols(frames: { address in
        self.addresses.withLock { $0.append(address) }
        return [
          SourceFrame(symbol: "in", file: "/a.c", line: 1, isInlined: true),
          SourceFrame(symbol: "f\(String(address, radix: 16))", file: "/a.c", line: 2, column: 3),
        ]
      })
    } demangle: {
      "<\($0)>"
    }
  }
}

/// A report without symbols.
private func bare(_ change: (inout CrashReport) -> Void = { _ in }) -> CrashReport {
  var report = SampleReport.orderBook
  for thread in report.threads.indices {
    for frame in report.threads[thread].frames.indices { report.threads[thread].frames[frame].calls = [] }
  }
  change(&report)
  return report
}

private func symbolicator(_ symbols: ImageSymbols) -> ReportSymbolicator {
  ReportSymbolicator(open: { _ in symbols }, demangle: { $0 })
}

@Suite("The symbolicator of reports") struct ReportSymbolicatorTests {
  @Test("looks return addresses up within their calls, and no others; a signal trampoline is named as such")
  func adjusting() {
    let asked = Asked()
    let report = bare {
      $0.images.removeLast()
      var interrupted = SampleReport.frame(SampleReport.bookBase + 0x30, image: 0)
      interrupted.kind = .interrupted
      var resumed = SampleReport.frame(SampleReport.bookBase + 0x40, image: 0)
      resumed.kind = .asynchronous
      $0.threads = [CrashReport.Thread(id: 1)]
      $0.threads[0].frames = [
        SampleReport.frame(SampleReport.bookBase + 0x10, image: 0),
        SampleReport.frame(SampleReport.bookBase + 0x20, image: 0),
        SampleReport.frame(SampleReport.bookBase + 0x28, image: 0), interrupted, resumed,
      ]
    }
    let result = asked.symbolicator.symbolicate(report)
    #expect(asked.addresses.withLock { $0 } == [0x10, 0x1f, 0x30, 0x40])
    let frames = result.report.threads[0].frames
    #expect(frames.map { $0.calls.last?.function } == ["<f10>", "<f1f>", "<signal handler called>", "<f30>", "<f40>"])
    #expect(frames.map(\.address) == report.threads[0].frames.map(\.address))
    #expect(frames[0].calls.map(\.isInlined) == [true, false])
    #expect(frames[0].calls[1].symbol == "f10")
    #expect(frames[0].calls[1].column == 3)
    #expect(result.missing.isEmpty)
  }

  @Test("opens each image once, and looks its addresses up in rising order without repeating any")
  func once() {
    let asked = Asked()
    _ = asked.symbolicator.symbolicate(bare())
    #expect(asked.opened.withLock { $0 } == ["orderbook", "libswiftCore.so"])
    #expect(asked.addresses.withLock { $0 } == [0x1233, 0x1fff, 0x100, 0x200])
  }

  @Test("takes the slide from addresses, not the base")
  func slide() {
    let asked = Asked()
    _ = asked.symbolicator.symbolicate(
      bare {
        $0.images[0].slide = 0
        $0.images.removeLast()
        $0.threads = [$0.threads[1]]
      })
    #expect(asked.addresses.withLock { $0 } == [0x5555_5555_5233, 0x5555_5555_5fff])
  }

  @Test("finds the image of frames whose capture did not know it")
  func images() {
    let report = bare { report in
      for index in report.threads[1].frames.indices { report.threads[1].frames[index].image = nil }
    }
    let result = Asked().symbolicator.symbolicate(report)
    #expect(result.report.threads[1].frames.map(\.image) == [1, 0, 0])
    #expect(result.report.threads[0].frames.map(\.image) == [1, nil])
  }

  @Test("keeps the symbols that a report has where nothing better is found")
  func keeping() {
    let named = symbolicator(ImageSymbols(frames: { _ in [SourceFrame(symbol: "near", offset: 4)] }))
    let nothing = symbolicator(ImageSymbols(frames: nil, reason: .notFound))
    let report = SampleReport.orderBook
    #expect(nothing.symbolicate(report).report == report)
    let frames = named.symbolicate(report).report.threads[1].frames
    #expect(frames[1].calls == report.threads[1].frames[1].calls)
    #expect(frames[0].calls.map(\.function) == ["near"])
    #expect(frames[0].calls[0].offset == 4)
  }

  @Test("says which symbols are missing, why, where it looked, and what would mend it")
  func missing() throws {
    let near = MissingSymbols.NearMiss(path: "/usr/bin/orderbook", uuid: "00ff")
    let result = symbolicator(
      ImageSymbols(frames: nil, reason: .otherBuild, searched: ["/usr/bin/orderbook"], nearMisses: [near])
    ).symbolicate(bare { $0.images[0].path = "/opt/my app/order book" })
    #expect(result.missing.map(\.name) == ["libswiftCore.so", "order book"])
    let missing = try #require(result.missing.last)
    #expect(missing.uuid == "0123456789abcdef0123456789abcdef01234567")
    #expect(missing.reason == .otherBuild)
    #expect(missing.searched == ["/usr/bin/orderbook"])
    #expect(missing.nearMisses == [near])
    #expect(missing.command == "mpaas symbols add 'DIR/order book'")
    #expect(missing.frames == 2)
  }

  @Test("does not miss debug information of system libraries whose functions have names")
  func systemLibraries() {
    let result = symbolicator(
      ImageSymbols(frames: { _ in [SourceFrame(symbol: "f", offset: 1)] }, reason: .noDebugInfo)
    ).symbolicate(bare())
    #expect(result.missing.map(\.name) == ["orderbook"])
  }

  @Test("leaves any report whole", arguments: 0..<100 as Range<UInt64>)
  func random(seed: UInt64) {
    var random = RandomReport(seed: seed)
    let report = random.report()
    let result = symbolicator(ImageSymbols(frames: { _ in [] })).symbolicate(report)
    #expect(result.report.threads.map(\.frames.count) == report.threads.map(\.frames.count))
  }
}
