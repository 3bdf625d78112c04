import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSProfile
import MPaaSSupport
import MPaaSSymbols
import MPaaSTestSupport
import Testing

@testable import MPaaSSampling

#if os(Linux)
  /// The machine permits sampling here; where a container refuses, nothing of this can be tried.
  private let isPermitted = TracePermission.probe() == .permitted

  @Suite("Samples of a program", .enabled(if: isPermitted)) struct RecorderTests {
    static let methods: [RecordingOptions.Method] =
      EventRing.isPermitted ? [.events, .stops] : [.stops]

    /// A shell that works, and one that waits: every machine has it.
    private static let working = ["/bin/sh", "-c", "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done"]
    private static let waiting = ["/bin/sh", "-c", "sleep 0.3; exit 3"]

    private func recording(_ command: [String], _ method: RecordingOptions.Method) throws -> Recording {
      try Recorder(RecordingOptions(method: method)).record(.command(command))
    }

    @Test("tell that a program works, in stacks that lead to its own code", arguments: methods)
    func working(_ method: RecordingOptions.Method) throws {
      let recording = try recording(Self.working, method)
      #expect(recording.exit == 0 && recording.method == method)
      let running = recording.samples.filter { recording.stacks[$0.stack].state == .running }
      #expect(running.count > 3)
      let own = running.filter { sample in
        let stack = recording.stacks[sample.stack]
        guard let index = stack.stack else { return false }
        let report = recording.spaces[stack.space]
        return report.threads[index].frames.contains { frame in
          frame.image.map { !report.images[$0].path.contains("/lib") && !report.images[$0].path.hasPrefix("[") }
            ?? false
        }
      }
      #expect(own.count * 2 > running.count)
    }

    @Test("tell what a program waits for, its children, and its exit status", arguments: methods)
    func waiting(_ method: RecordingOptions.Method) throws {
      let recording = try recording(Self.waiting, method)
      #expect(recording.exit == 3)
      let summary = RecordingSummary(recording, recording.kernelSymbols())
      let waited = summary.threads.reduce(0) { $0 + $1.waiting }
      #expect(waited > 250_000_000)
      // Where the kernel hides its functions the call is told by stops alone.
      let calls = Set(summary.waits.compactMap(\.call))
      if method == .stops || !calls.isEmpty { #expect(calls.contains { $0.hasPrefix("wait") || $0.contains("sleep") }) }
      #expect(Set(recording.threads.values.map(\.process)).count >= 1)
    }

    /// Recurses, and works for 300 ms: in the end, or in the handler of a signal that has a stack of its own.
    private static let deepProgram = """
      #include <signal.h>
      #include <stdlib.h>
      #include <string.h>
      #include <time.h>
      static volatile int sink;
      static void work(int number) {
        struct timespec start, now;
        clock_gettime(CLOCK_MONOTONIC, &start);
        do clock_gettime(CLOCK_MONOTONIC, &now);
        while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 < 300);
        sink = number;
      }
      __attribute__((noinline)) static int deep(int depth, int signals) {
        volatile char room[512];
        room[depth % 512] = (char)depth;
        if (depth > 0) return deep(depth - 1, signals) + room[depth % 512];
        if (signals) raise(SIGUSR1); else work(0);
        return room[0];
      }
      int main(int count, char **arguments) {
        stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
        sigaltstack(&stack, NULL);
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = work;
        action.sa_flags = SA_ONSTACK;
        sigaction(SIGUSR1, &action, NULL);
        return deep(atoi(arguments[1]), count > 2) == -1;
      }
      """

    @Test(
      "by stops have stacks of several hundred kB whole, and those behind a signal's own stack", .tool("gcc"),
      arguments: [["1000"], ["300", "signal"]])
    func deep(_ words: [String]) throws {
      let folder = try TemporaryFolder()
      let source = folder.url.appending(path: "deep.c")
      let program = folder.url.appending(path: "deep").path
      try Data(Self.deepProgram.utf8).write(to: source)
      let outcome = try Command.run("gcc", ["-O1", "-fomit-frame-pointer", source.path, "-o", program])
      try #require(outcome.status == 0, "\(outcome.errors)")
      let recording = try withNoSignalsBlocked { try self.recording([program] + words, .stops) }
      let depth = try #require(words.first.flatMap { Int($0) })
      let stacks: [CrashReport.Thread] = recording.spaces.flatMap(\.threads)
      let frames = stacks.map(\.frames.count).max() ?? 0
      #expect(frames > depth && frames < depth + 30)
      // The first look at a thread does not know yet that its stack goes on elsewhere, nor what is mapped since.
      #expect(recording.cost.cut <= 2)
    }

    @Test("become a profile with the same weights", arguments: methods)
    func profile(_ method: RecordingOptions.Method) throws {
      let recording = try recording(Self.waiting, method)
      let profile = recording.profile(recording.kernelSymbols())
      #expect(profile.sampleCount == recording.samples.count)
      #expect(profile.total == Int64(recording.samples.reduce(0) { $0 + $1.weight }))
      let running = recording.samples.filter { recording.stacks[$0.stack].state == .running }
      #expect(profile.total(of: 1) == Int64(running.reduce(0) { $0 + $1.weight }))
    }

    @Test("of a command that is not there are refused as it is by a shell", arguments: methods)
    func missing(_ method: RecordingOptions.Method) throws {
      let error = #expect(throws: CaptureError.self) { try recording(["/nonexistent/program"], method) }
      #expect(error?.code == .commandNotFound)
    }

    @Test("of a process that is not there are refused", arguments: methods)
    func nobody(_ method: RecordingOptions.Method) throws {
      let error = #expect(throws: CaptureError.self) {
        try Recorder(RecordingOptions(method: method)).record(.process(.max))
      }
      #expect(error?.code == .noSuchProcess)
    }
  }

  @Suite("Figures of a process", .enabled(if: isPermitted)) struct ProcessFiguresTests {
    @Test("of this process have its threads, descriptors, memory and time")
    func own() throws {
      let figures = try ProcessFigures.live(ProcessStatus.own)
      #expect(figures.threads.contains { $0.id == ProcessStatus.own })
      #expect(figures.descriptors ?? 0 > 2 && figures.processorTime > 0)
      #expect(figures.memory.all.resident > 1 << 20 && figures.memory.byKind[.stack] != nil)
    }

    @Test("tell what grows beyond doubt, and threads that came")
    func growth() throws {
      func figures(_ second: Int) -> ProcessFigures {
        let map = MemoryMap(
          "1000-900000 rw-p 0 00:00 0 [heap]\nRss: \(100 + 10 * second) kB\nPss: \(100 + 10 * second) kB\n")
        let workers = (0...second).map {
          ProcessFigures.Thread(id: Int32($0), name: "worker", time: UInt64(second) * 500_000_000)
        }
        return ProcessFigures(
          moment: UInt64(second) * 1_000_000_000, processorTime: 0, memory: map.sums, descriptors: 7, threads: workers)
      }
      let report = try #require(GrowthReport((0..<10).map(figures)))
      let subjects = Set(report.growing.map(\.subject))
      #expect(subjects == [.resident, .proportional, .memory(.heap), .threads])
      #expect(report.threads.map(\.name) == ["worker"] && report.threads[0].first == 1 && report.threads[0].last == 10)
      let heap = try #require(report.lines.first { $0.subject == .memory(.heap) }?.trend)
      #expect(abs(heap.slope - 10240) < 1)
    }
  }

  @Suite("Starts of a program", .enabled(if: isPermitted)) struct StartupTests {
    @Test("have the moments of the loader and of the program in their order, and its status")
    func moments() throws {
      let result = try StartupMeasurement(["/bin/sh", "-c", "echo hello; exit 4"], count: 2, endsAtOutput: false).run()
      #expect(result.status == 4 && result.warm.count == 2 && result.cold.count == 2)
      for times in result.warm + result.cold {
        let moments = times.moments
        for moment in [StartupTimes.Moment.exec, .entry, .output, .end] { #expect(moments[moment] != nil, "\(moment)") }
        #expect(moments[.exec] ?? 0 <= moments[.entry] ?? 0 && moments[.entry] ?? 0 <= moments[.output] ?? 0)
        #expect(times.phases.map(\.duration).reduce(0, +) == times.phases.last?.end)
      }
      #expect(result.dropped.files > 1 && result.dropped.after <= result.dropped.before)
    }

    @Test("have no phases of less than no time, where a program writes before its main")
    func order() {
      let times = StartupTimes([.exec: 5, .output: 7, .main: 9, .end: 20])
      #expect(times.phases.map(\.to) == [.exec, .main, .end] && times.phases.map(\.duration) == [5, 4, 11])
    }

    @Test("end no earlier than their output, however late it was read")
    func lateReader() {
      var times = StartupTimes([.exec: 5])
      times.noteEnd(at: 120, output: 130, since: 100)
      #expect(times.phases.map(\.to) == [.exec, .output, .end] && times.phases.map(\.duration) == [5, 15, 0])
    }
  }
#endif
