import CommandKit
import MPaaSCrash
import MPaaSSampling
import MPaaSSupport
import MPaaSTerminal

/// A process on the whole screen: its numbers, their course, and its busiest threads.
struct WatchScreen {
  private let session: WatchSession
  private let device: TerminalDevice
  private let style: TextStyle
  private let catalogue: Catalogue
  private var history = WatchHistory()

  /// Tells whether the screen is a person's: not a pipe, not JSON.
  static func isWished(in context: Context) -> Bool {
    let settings = context.terminal.settings
    return context.terminal.output.isTerminal && !settings.isJSON && settings.allowsInput
  }

  /// Shows it until a key, the time or the process ends it; what was seen.
  static func run(_ session: WatchSession, in context: Context) async throws -> WatchHistory {
    // A process that cannot be looked at is told of before the screen is taken over.
    let first = try ProcessFigures.live(session.process)
    guard
      let device = try? TerminalDevice(
        begin: "\u{1b}[?1049h\u{1b}[?25l\u{1b}[H", end: "\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l")
    else {
      throw Diagnostic("net-top-terminal", exit: .usage)
    }
    let (style, catalogue) = (context.terminal.pickerStyle, context.catalogue)
    return await withCheckedContinuation { continuation in
      DetachedThread.run {
        var screen = WatchScreen(session, device, style, catalogue)
        screen.history.take(first)
        screen.show()
        device.leave()
        continuation.resume(returning: screen.history)
      }
    }
  }

  private init(_ session: WatchSession, _ device: TerminalDevice, _ style: TextStyle, _ catalogue: Catalogue) {
    self.session = session
    self.device = device
    self.style = style
    self.catalogue = catalogue
  }

  private mutating func show() {
    let clock = ContinuousClock()
    let start = clock.now
    var due = start + session.pause
    var decoder = KeyDecoder()
    while true {
      draw()
      let rest = max(due - clock.now, .zero)
      switch device.next(within: Int32(clamping: rest.nanoseconds / 1_000_000 + 1)) {
      case .ended: return
      case .bytes(let bytes): if decoder.feed(bytes).contains(where: Self.ends) { return }
      case .timeout, .woken, .changed: if decoder.flush().contains(where: Self.ends) { return }
      }
      guard clock.now >= due else { continue }
      if let duration = session.duration, due - start > duration { return }
      due = max(due + session.pause, clock.now)
      guard let figures = try? ProcessFigures.live(session.process) else { return }
      history.take(figures)
    }
  }

  private static func ends(_ key: TerminalKey) -> Bool {
    switch key {
    case .character("q"), .escape, .control("c"), .control("d"): true
    default: false
    }
  }

  private func draw() {
    let (columns, rows) = device.size
    let lines = WatchView(history, process: session.process, catalogue).lines(columns: max(columns, 20), rows: rows)
    let text = lines.prefix(rows).map { "\u{1b}[2K" + style.render($0.visible.truncated(toWidth: max(columns - 1, 1))) }
    device.write("\u{1b}[H" + text.joined(separator: "\r\n") + "\u{1b}[J")
  }
}
