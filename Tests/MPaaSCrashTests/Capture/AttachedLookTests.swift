import Foundation
import MPaaSCrashReport
import MPaaSProfile
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("A look at a live process", .tool("gcc"))
struct AttachedLookTests {
  @Test("has the frames that gdb finds, and leaves the process running", .tool("gdb"))
  func stacks() throws {
    let live = try LiveProgram(.crashes(), ["live"])
    Thread.sleep(forTimeInterval: 0.1)
    let report = try AttachedLook(process: live.id).report()
    #expect(live.process.isRunning)
    #expect(live.comesToSleep)
    #expect(report.origin == .attached)
    #expect(report.exception == nil)
    #expect(report.faultingThread == nil)
    #expect(report.threads.count == 3)
    #expect(report.notes.isEmpty)
    let expected = try Debugger.stacks(process: live.id)
    #expect(expected.count == 3)
    for (thread, addresses) in expected { #expect(report.addresses(of: thread) == addresses) }
    #expect(live.process.isRunning)
    #expect(live.comesToSleep)
  }

  @Test("can be repeated, and leaves a stopped process stopped")
  func repeated() throws {
    let live = try LiveProgram(.crashes(), ["live"])
    for _ in 0..<20 { #expect(try AttachedLook(process: live.id).report().threads.count == 3) }
    kill(live.id, SIGSTOP)
    Thread.sleep(forTimeInterval: 0.1)
    #expect(try AttachedLook(process: live.id).report().threads.count == 3)
    Thread.sleep(forTimeInterval: 0.1)
    #expect(live.state == "T")
    kill(live.id, SIGCONT)
    Thread.sleep(forTimeInterval: 0.1)
    #expect(live.state == "S")
  }

  @Test("leaves out a main thread that ended before the others")
  func mainGone() throws {
    let live = try LiveProgram(.crashes(), ["main-gone-live"])
    Thread.sleep(forTimeInterval: 0.1)
    let report = try AttachedLook(process: live.id).report()
    #expect(report.threads.count == 2)
    #expect(report.threads.allSatisfy { !$0.frames.isEmpty })
  }

  @Test("is refused with a reason: no such process, itself, one that is traced")
  func refused() throws {
    func code(_ process: Int32) -> CaptureError.Code? {
      do { _ = try AttachedLook(process: process).report() } catch { return error.code }
      return nil
    }
    #expect(code(Int32.max - 1) == .noSuchProcess)
    #expect(code(getpid()) == .ownProcess)
    let live = try LiveProgram(.crashes(), ["live"])
    var outer = try AttachedThreads(process: live.id)
    #expect(code(live.id) == .alreadyTraced)
    outer.detach()
    #expect(code(live.id) == nil)
  }

  @Test("taken often makes a profile: the function that spins is on top, every stack is counted")
  func sampling() throws {
    let live = try LiveProgram(.build("spin.c", Self.spinner, ["-O1", "-g"]), [])
    let profile = try AttachedLook(process: live.id).samples(60, interval: 2_000_000)
    #expect(profile.looks == 60)
    #expect(profile.counts.reduce(0, +) == 120)
    let tree = CallTree(profile.profile, byThread: true)
    #expect(tree.total == 120)
    #expect(tree.roots.count == 2)
    #expect(tree.roots.allSatisfy { tree.nodes[Int($0)].total == 60 })
    let spin = try #require(tree.roots.first { tree.name(of: Int($0)).hasPrefix("spinner") })
    #expect(tree.nodes[Int(spin)].children.count == 1)
    let hottest = FunctionTotals(tree).hottest(10, in: tree.profile)
    #expect(hottest.contains { tree.profile.image(ofFunction: $0.function)?.name == "spin" && $0.own > 0 })
    #expect(tree.lines(least: 0).filter { $0.depth == 0 }.count == 2)
    #expect(live.process.isRunning)
  }

  @Test("ends early when it is cancelled")
  func cancelled() throws {
    let live = try LiveProgram(.crashes(), ["live"])
    var asked = 0
    let profile = try AttachedLook(process: live.id).samples(1000, interval: 1_000_000) {
      asked += 1
      return asked > 5
    }
    #expect(profile.looks == 5)
  }

  @Test("delivers signals that come while it looks")
  func signals() throws {
    let live = try LiveProgram(.crashes(), ["count-usr1"])
    for _ in 0..<20 {
      kill(live.id, SIGUSR1)
      // It ends with the last of them.
      _ = try? AttachedLook(process: live.id).report()
      Thread.sleep(forTimeInterval: 0.02)
    }
    live.process.waitUntilExit()
    #expect(live.process.terminationReason == .exit)
    #expect(live.process.terminationStatus == 20)
  }

  static let spinner = """
    #define _GNU_SOURCE
    #include <pthread.h>
    #include <stdio.h>
    #include <unistd.h>
    static volatile double value = 1;
    __attribute__((noinline)) void heavy(void) { for (int i = 0; i < 100000; i++) value = value * 1.0000001; }
    static void *spin(void *argument) { pthread_setname_np(pthread_self(), "spinner"); while (1) heavy(); return 0; }
    int main(void) {
      pthread_t thread;
      pthread_create(&thread, 0, spin, 0);
      usleep(10000);
      puts("ready");
      fflush(stdout);
      while (1) pause();
    }
    """
}
