/// A part of the screen that shows badges.
///
/// `BadgeControl` and `BadgeView` conform; a view of the app's own may, too. While an object is registered with a
/// `BadgeTree`, which does not keep it alive, it is told each value that is new to it.
@MainActor
public protocol BadgeWidget: AnyObject {
  /// The widget in the paths of badges.
  var widgetID: String { get }
  /// The badges that count where others stand below the widget.
  var calculation: BadgeCalculation { get }
  /// Shows a value.
  func show(_ value: BadgeValue)
}

/// The facts about a widget at its last change: `MPWidgetInfo`.
public struct WidgetInfo: Sendable, Hashable {
  /// The widget.
  public let widgetID: String
  /// The value that it shows.
  public let value: BadgeValue
}

/// Hears of each change of a widget: `MPBadgeViewDelegate`.
@MainActor
public protocol BadgeControlDelegate: AnyObject {
  /// Hears that a widget shows something else.
  func badgeControl(_ control: BadgeControl, didShow info: WidgetInfo)
}

/// The base of widgets without a user interface of its own.
///
/// It stands for `MPAbsBadgeView`.
///
/// A subclass draws in `draw(_:)`.
@MainActor
open class BadgeControl: BadgeWidget {
  /// The widget in the paths of badges.
  public var widgetID: String
  /// The badges that count where others stand below; leaves do not need it.
  ///
  /// In a cell that is used again it is set each time.
  public var calculation: BadgeCalculation
  /// Called after each change, for the app's own statistics.
  public var callback: (@MainActor (WidgetInfo) -> Void)?
  /// The facts at the last change; nil before the first.
  public private(set) var widgetInfo: WidgetInfo?
  /// Hears of each change.
  public weak var delegate: (any BadgeControlDelegate)?

  /// Creates a widget.
  public init(widgetID: String, calculation: BadgeCalculation = .all) {
    self.widgetID = widgetID
    self.calculation = calculation
  }

  /// The way of counting in the old kit's words: `point`, `new`, `num`, or nil for all.
  public var numberCalculateMode: String? {
    get { calculation == .all ? nil : calculation.rawValue }
    set { calculation = BadgeCalculation(newValue) }
  }

  /// Shows a value: it is drawn, and delegate and callback hear of it.
  public func show(_ value: BadgeValue) {
    let info = WidgetInfo(widgetID: widgetID, value: value)
    widgetInfo = info
    draw(value)
    delegate?.badgeControl(self, didShow: info)
    callback?(info)
  }

  /// Shows a value in the old kit's words: `.`, `new`, digits, `惠`, another text; nil for nothing.
  public func updateBadgeValue(_ text: String?) { show(BadgeValue(text)) }

  /// Draws a value.
  ///
  /// Subclasses do it; here it does nothing.
  open func draw(_ value: BadgeValue) {}

  /// Draws a style in the old kit's words, without telling anyone.
  public func drawBadgeStyle(_ text: String?) { draw(BadgeValue(text)) }
}
