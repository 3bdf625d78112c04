import MPaaSJSON

extension TemplateHelpers {
  /// Helpers for dates and times.
  static let times: [String: Helper] = [
    "now": { arguments, run in shown(MockTime(seconds: run.context.now), arguments) },
    "date": { arguments, run in
      let subject = arguments[0]
      if case .time(let time) = subject { return shown(time, arguments) }
      guard !arguments.values.isEmpty else { return shown(MockTime(seconds: run.context.now), arguments) }
      guard let time = MockTime(subject.text) else { return error("\(subject.text) is no date") }
      return shown(time, arguments)
    },
    "parseDate": { arguments, run in
      let text = arguments.subject(&run).text
      let time =
        switch arguments.text("format") {
        case nil: MockTime(text)
        case "unix": Double(text).flatMap { $0.isFinite ? MockTime(seconds: $0) : nil }
        case "epoch": Double(text).flatMap { $0.isFinite ? MockTime(seconds: $0 / 1000) : nil }
        case let format?: JavaDateFormat(format).time(text)
        }
      return time.map { .time($0) } ?? error("\(text) is no date of this format")
    },
    "truncateDate": { arguments, _ in
      guard case .time(let time) = arguments[0] else { return error("truncateDate needs a date") }
      guard let place = TimeTruncation(word: arguments[1].text) else {
        return error("\(arguments[1].text) is no truncation")
      }
      return .time(time.truncated(to: place))
    },
    "dateFormat": { arguments, _ in
      guard case .time(let time) = arguments[0] else { return error("dateFormat needs a date") }
      return .text(JavaDateFormat(arguments[1].text).text(of: time))
    },
  ]

  /// The time, moved and in the zone and the form that the options say.
  private static func shown(_ time: MockTime, _ arguments: TemplateArguments) -> TemplateValue {
    var time = time
    if let offset = arguments.text("offset"), !offset.isEmpty {
      let words = offset.split(separator: " ")
      guard words.count == 2, let amount = Int(words[0]), abs(amount) < 1_000_000_000,
        let unit = TimeUnit(word: words[1]),
        let moved = time.moved(by: amount, unit)
      else { return error("\(offset) is no offset as: 3 days") }
      time = moved
    }
    if let zone = arguments.text("timezone") {
      guard let seconds = ZoneOffset.seconds(of: zone, at: time.seconds) else {
        return error("\(zone) is no time zone")
      }
      time = MockTime(wall: time.seconds + Double(seconds), offset: seconds)
    }
    switch arguments.text("format") {
    case nil:
      let plain = MockTime(wall: time.wall.rounded(.down), offset: time.offset)
      return arguments.options.isEmpty ? .time(plain) : .text(plain.text)
    case "epoch": return .json(.whole(Int((time.seconds * 1000).rounded(.down))))
    case "unix": return .json(.whole(Int(time.seconds.rounded(.down))))
    case let format?: return .text(JavaDateFormat(format).text(of: time))
    }
  }
}
