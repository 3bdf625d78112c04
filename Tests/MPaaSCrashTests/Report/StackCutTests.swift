import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("A stack that was cut") struct StackCutTests {
  @Test("says why in a report, and every form of the report keeps it", arguments: CrashReport.StackCut.allCases)
  func forms(_ cut: CrashReport.StackCut) throws {
    var report = SampleReport.orderBook
    report.threads[0].cut = cut
    let ips = try ReportFile.read(Bytes(IPSWriter.bytes(of: report)))
    #expect(ips == report)
    let lines = AppleText(report, options: .init()) { _ in nil }.lines.map(\.text)
    let place = try #require(lines.firstIndex { $0.hasSuffix(cut.line) })
    #expect(lines[place - 1].first?.isNumber == true)
    #expect(lines.filter { $0.contains("stack is cut") }.count == 1)
    let text = try ReportFile.read(Bytes(Array((lines.joined(separator: "\n") + "\n").utf8)))
    #expect(text.threads.compactMap(\.cut) == [cut])
    #expect(text.threads.map(\.frames.count).sorted() == report.threads.map(\.frames.count).sorted())
  }

  @Test("is told of by the number of the unwinder, and by no other")
  func numbers() {
    let known = (UInt32(0)...6).map { CrashReport.StackCut(stop: $0) }
    #expect(known == [nil, .limit, .loop, .unreadable, .unknown, .late, .unsupported])
    #expect(CrashReport.StackCut(stop: 7) == nil)
    #expect(CrashReport.StackCut(stop: .max) == nil)
  }

  /// Code without unwind information between `main` and the crash; it clears the frame pointer.
  private static let source = """
    #include <stdlib.h>
    #include <string.h>
    #include <sys/mman.h>
    int __attribute__((noinline)) down(int n) { volatile char a[64]; a[0] = n; return down(n + 1) + a[0]; }
    static void crash(void) { *(volatile int *)0 = 1; }
    int main(int count, char **words) {
      if (count < 2) crash();
      if (!strcmp(words[1], "endless")) return down(0);
    #if defined(__x86_64__)
      unsigned char code[] = {0x53, 0x31, 0xed, 0x48, 0x83, 0xec, 0x40, 0xff, 0xd7, 0xcc};
    #else
      unsigned code[] = {0xd28000fd, 0xd10103ff, 0xd63f0000, 0xd4200000};
    #endif
      void *page = mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      memcpy(page, code, sizeof code);
      __builtin___clear_cache(page, (char *)page + sizeof code);
      ((void (*)(void (*)(void)))page)(crash);
    }
    """

  @Test(
    "is one whose end the unwinder did not reach, live and in the core", .tool("gcc"),
    arguments: [
      ([], nil), (["made"], CrashReport.StackCut.unknown), (["endless"], .limit),
    ])
  func unwound(_ words: [String], _ cut: CrashReport.StackCut?) throws {
    let observed = try Observed.run(.build("cut.c", Self.source, ["-O0", "-g", "-z", "execstack"]), words)
    #expect(try observed.report.faulting?.cut == cut)
    #expect(try CoreCapture.report(of: observed.core).faulting?.cut == cut)
  }
}
