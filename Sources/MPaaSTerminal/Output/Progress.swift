import MPaaSSupport
import MPaaSToolSupport
import Synchronization

/// The progress of one piece of work, drawn on a terminal's standard error after the first half second.
///
/// Elsewhere it draws nothing. Call `advance` from any thread.
package final class Progress: Sendable {
  private struct State {
    var done: UInt64 = 0
    var lastDrawn: ContinuousClock.Instant?
    var isDrawn = false
  }

  private let label: String
  private let total: UInt64
  private let isBytes: Bool
  private let draw: (@Sendable (String) -> Void)?
  private let width: @Sendable () -> Int?
  private let started = ContinuousClock.now
  private let state = Mutex(State())

  init(label: String, total: UInt64, isBytes: Bool, stream: OutputStream, isShown: Bool) {
    self.label = VisibleText.of(label)
    self.total = total
    self.isBytes = isBytes
    draw = isShown && stream.isTerminal ? stream.write : nil
    width = stream.width
  }

  /// Says that `amount` more units are done.
  package func advance(by amount: UInt64 = 1) {
    guard let draw else { return }
    let now = ContinuousClock.now
    let line: String? = state.withLock { state in
      state.done = min(total, state.done &+ amount)
      let since = now - (state.lastDrawn ?? started)
      guard since >= (state.isDrawn ? .milliseconds(100) : .milliseconds(500)) else { return nil }
      state.lastDrawn = now
      state.isDrawn = true
      return text(done: state.done, elapsed: now - started)
    }
    if let line { draw("\r\u{1b}[2K" + line) }
  }

  /// Takes the bar away.
  package func finish() {
    let wasDrawn = state.withLock { state in
      defer { state.isDrawn = false }
      return state.isDrawn
    }
    if wasDrawn { draw?("\r\u{1b}[2K") }
  }

  private func text(done: UInt64, elapsed: Duration) -> String {
    let seconds = max(0.001, Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18)
    let rate = Double(done) / seconds
    let fraction = total == 0 ? 0 : Double(done) / Double(total)
    let left = rate > 0 ? Double(total - done) / rate : 0
    let tail = " \(Int(fraction * 100))%  \(amount(rate))/s  \(Self.clock(left))"
    let columns = max(10, min(40, (width() ?? 80) - label.displayWidth - tail.displayWidth - 4))
    let filled = Int(Double(columns) * fraction)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: columns - filled)
    return "\(label) \(bar)\(tail)"
  }

  private func amount(_ value: Double) -> String {
    isBytes ? ByteCount(UInt64(max(0, value))).description : String(Int(value))
  }

  private static func clock(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 359_999).rounded(.up))
    let minutes = String(whole / 60 % 60)
    let rest = String(whole % 60)
    let hours = whole >= 3600 ? "\(whole / 3600):" : ""
    return
      "\(hours)\(hours.isEmpty || minutes.count > 1 ? minutes : "0" + minutes):\(rest.count > 1 ? rest : "0" + rest)"
  }
}

extension Terminal {
  /// Starts a progress bar for work of `total` units; end it with `finish()`.
  package func progress(_ label: String, total: UInt64, isBytes: Bool = false) -> Progress {
    Progress(
      label: label, total: total, isBytes: isBytes, stream: errors,
      isShown: settings.verbosity >= .normal && !settings.isJSON)
  }
}
