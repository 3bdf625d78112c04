#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// A red point, or a red capsule with a text.
  ///
  /// It stands for `MPBadgeView`.
  ///
  /// It takes no touches; the view below tells the tree of taps.
  @MainActor
  open class BadgeView: UIView, BadgeWidget {
    /// The widget in the paths of badges.
    public var widgetID: String
    /// The badges that count where others stand below.
    public var calculation: BadgeCalculation
    /// Called after each change, for the app's own statistics.
    public var callback: (@MainActor (WidgetInfo) -> Void)?
    /// The facts at the last change; nil before the first.
    public private(set) var widgetInfo: WidgetInfo?
    private let label = UILabel()

    /// Creates a view that shows nothing yet.
    public init(widgetID: String, calculation: BadgeCalculation = .all) {
      self.widgetID = widgetID
      self.calculation = calculation
      super.init(frame: .zero)
      isHidden = true
      isUserInteractionEnabled = false
      backgroundColor = .systemRed
      label.textColor = .white
      label.font = .systemFont(ofSize: 11, weight: .medium)
      label.textAlignment = .center
      addSubview(label)
    }

    /// Makes no view: widgets have IDs, which archives do not keep.
    public required init?(coder: NSCoder) { nil }

    /// Shows a value, and tells the callback.
    open func show(_ value: BadgeValue) {
      let info = WidgetInfo(widgetID: widgetID, value: value)
      widgetInfo = info
      draw(value)
      callback?(info)
    }

    /// Draws a value; nothing is a hidden view.
    open func draw(_ value: BadgeValue) {
      isHidden = value == .none
      label.text = value == .point ? nil : value == .number(0) ? nil : shownText(value)
      accessibilityLabel = value.text
      invalidateIntrinsicContentSize()
      setNeedsLayout()
    }

    private func shownText(_ value: BadgeValue) -> String? {
      if case .number(let number) = value, number > BadgeValue.largestShown { return "•••" }
      return value.text
    }

    /// The size of a point, 8 points wide, or of the text with its margins.
    open override var intrinsicContentSize: CGSize {
      guard label.text != nil else { return CGSize(width: 8, height: 8) }
      let size = label.intrinsicContentSize
      let height = size.height + 2
      return CGSize(width: max(size.width + 8, height), height: height)
    }

    /// Lays the text out, and rounds the ends.
    open override func layoutSubviews() {
      super.layoutSubviews()
      label.frame = bounds
      layer.cornerRadius = bounds.height / 2
    }
  }
#endif
