import Foundation
import MPaaSPerformance
import Testing

@Suite("Spans", .serialized) struct SpanTests {
  private func recorded(_ prefix: String, _ work: () async -> Void) async -> [Perf.Span] {
    Perf.isRecording = true
    await work()
    Perf.isRecording = false
    return Perf.recorded().spans.filter { $0.tag.hasPrefix(prefix) }
  }

  @Test("lie within each other on a thread")
  func nested() async throws {
    let spans = await recorded("nested") {
      Perf.span("nested outer") {
        Perf.span("nested inner") { _ = usleep(1000) }
      }
    }
    let outer = try #require(spans.first { $0.tag == "nested outer" })
    let inner = try #require(spans.first { $0.tag == "nested inner" })
    #expect(inner.parent == outer.number && outer.parent == nil)
    let (longer, shorter) = (try #require(outer.duration), try #require(inner.duration))
    #expect(longer >= shorter && shorter >= .milliseconds(1))
  }

  @Test("follow a task to other threads and actors")
  func tasks() async throws {
    let spans = await recorded("task") {
      await Perf.span("task outer") {
        await Task.yield()
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<8 { group.addTask { await MainActor.run { Perf.span("task inner") {} } } }
        }
      }
    }
    let outer = try #require(spans.first { $0.tag == "task outer" })
    let inner = spans.filter { $0.tag == "task inner" }
    #expect(inner.count == 8 && inner.allSatisfy { $0.parent == outer.number && $0.duration != nil })
  }

  @Test("end on another thread than they began on")
  func threads() async throws {
    let spans = await recorded("thread") {
      let entered = Perf.enter("thread")
      await withCheckedContinuation { done in
        Thread.detachNewThread {
          Perf.leave(entered)
          done.resume()
        }
      }
    }
    #expect(spans.count == 1 && spans[0].duration != nil)
  }

  @Test("are not kept while nothing is recorded")
  func off() {
    Perf.isRecording = false
    Perf.span("off") {}
    Perf.mark("off mark")
    let recording = Perf.recorded()
    #expect(!recording.spans.contains { $0.tag == "off" } && !recording.marks.contains { $0.tag == "off mark" })
  }

  @Test("tell the time between marks")
  func marks() {
    Perf.isRecording = true
    Perf.mark("first mark")
    usleep(2000)
    Perf.mark("second mark")
    Perf.isRecording = false
    let time = Perf.time(from: "first mark", to: "second mark") ?? .zero
    #expect(time >= .milliseconds(2))
    #expect((Perf.time(from: "second mark", to: "first mark") ?? .zero) < .zero)
    #expect(Perf.time(from: "first mark", to: "never") == nil)
  }

  @Test("keep the newest of many")
  func many() async {
    let spans = await recorded("many") {
      for _ in 0..<10_000 { Perf.span("many") {} }
    }
    #expect(spans.count > 4000 && spans.count <= 8192)
    #expect(spans.suffix(4000).allSatisfy { $0.duration != nil })
  }
}
