import MPaaSSupport
import MPaaSToolSupport
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The pipe to a pager, until nothing more comes or the person has left.
private final class PagerFeed: Sendable {
  private let end: Mutex<OpenFile?>
  private let left = Atomic(false)

  init(_ end: consuming OpenFile) { self.end = Mutex(end) }

  var isLeft: Bool { left.load(ordering: .relaxed) }

  func write(_ bytes: UnsafeRawBufferPointer) {
    guard !isLeft else { return }
    end.withLock { end in
      do throws(FileError) {
        try end?.append(bytes)
      } catch {
        left.store(true, ordering: .relaxed)
      }
    }
  }

  func finish() { end.withLock { $0 = nil } }
}

/// The program that a person turns pages with: what is written to it appears there.
package final class Pager: Sendable {
  /// Takes what the person reads: it looks as it does on the terminal.
  package let results: ResultSink
  private let feed: PagerFeed
  private let child: StartedProcess

  /// Tells whether the person has ended it, so that nothing more need be written.
  package var isGone: Bool { feed.isLeft }

  /// Starts a pager in the place of a terminal's output; nil where that is none, or no pager can be started.
  ///
  /// - Parameter environment: Names it by `MPAAS_PAGER` or `PAGER`; `cat` and an empty name mean none, and without
  ///   either it is `less`.
  package init?(over terminal: Terminal, environment: [String: String]) {
    let output = terminal.output
    let command = environment["MPAAS_PAGER"] ?? environment["PAGER"] ?? "less"
    guard output.isTerminal, !command.isEmpty, command != "cat", environment["TERM"] != "dumb" else { return nil }
    guard let pipe = try? OpenPipe() else { return nil }
    // Short texts are left on the screen, and colours are shown, unless the user says otherwise.
    var variables = environment
    if variables["LESS"] == nil { variables["LESS"] = "FRX" }
    let streams = StartedProcess.Streams(input: .descriptor(pipe.reading.descriptor))
    let started = try? StartedProcess(
      "/bin/sh", ["-c", command], environment: variables.map { "\($0.key)=\($0.value)" }, streams: streams)
    guard let started else { return nil }
    signal(SIGPIPE, SIG_IGN)
    child = started
    let feed = PagerFeed(pipe.endToWriteTo())
    self.feed = feed
    let paged = OutputStream(
      isTerminal: true, width: output.width,
      write: { text in
        var text = text
        text.withUTF8 { feed.write(UnsafeRawBufferPointer($0)) }
      },
      writeBytes: { feed.write($0) })
    results =
      Terminal(catalogue: terminal.catalogue, settings: terminal.settings, environment: environment, output: paged)
      .results
  }

  /// Says that nothing more comes, and waits until the person has ended the pager.
  package func finish() {
    feed.finish()
    _ = try? child.wait()
  }
}
