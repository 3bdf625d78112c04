// Stands for Apple's module in scripts/check-platforms: what our sources name of it, with the main actor where Apple's
// headers have it.
@_exported import Foundation

// CoreFoundation, which UIKit exports again.
public func CFGetTypeID(_ value: NSNumber) -> UInt { 0 }
public func CFBooleanGetTypeID() -> UInt { 0 }
public func CFNumberIsFloatType(_ value: NSNumber) -> Bool { false }

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIViewController: UIResponder {
  open var title: String?
}

@MainActor open class UITableView: UIResponder {
  public enum Style: Sendable { case plain, grouped, insetGrouped }
  open func reloadData() {}
}

@MainActor open class UITableViewCell: UIResponder {
  public enum CellStyle: Sendable { case `default` }
  public enum AccessoryType: Sendable { case none, checkmark }
  public init(style: CellStyle, reuseIdentifier: String?) {}
  open var accessoryType: AccessoryType = .none
  @available(iOS 14, tvOS 14, *)
  open func defaultContentConfiguration() -> UIListContentConfiguration { UIListContentConfiguration() }
  @available(iOS 14, tvOS 14, *)
  open var contentConfiguration: (any UIContentConfiguration)? {
    get { nil }
    set {}
  }
}

@available(iOS 14, tvOS 14, *)
public protocol UIContentConfiguration {}

@available(iOS 14, tvOS 14, *)
public struct UIListContentConfiguration: UIContentConfiguration {
  public var text: String?
}

@MainActor open class UITableViewController: UIViewController {
  public init(style: UITableView.Style) {}
  public required init?(coder: NSCoder) { nil }
  open var tableView: UITableView { fatalError() }
  open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell { fatalError() }
  open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
}

extension IndexPath {
  public var row: Int { self[1] }
}

@MainActor open class UIView: UIResponder {
  public init(frame: CGRect) { super.init() }
  public override convenience init() { self.init(frame: CGRect()) }
  public required init?(coder: NSCoder) { nil }
  open var frame = CGRect()
  open var bounds = CGRect()
  open var isHidden = false
  open var isUserInteractionEnabled = true
  open var backgroundColor: UIColor?
  open var accessibilityLabel: String?
  open var intrinsicContentSize: CGSize { CGSize() }
  public var layer: CALayer { CALayer() }
  open func addSubview(_ view: UIView) {}
  open func invalidateIntrinsicContentSize() {}
  open func setNeedsLayout() {}
  open func layoutSubviews() {}
}

@MainActor open class UILabel: UIView {
  open var text: String?
  open var textColor: UIColor!
  open var font: UIFont!
  open var textAlignment = NSTextAlignment.natural
}

public enum NSTextAlignment: Sendable { case left, center, right, natural }

public final class CALayer: NSObject {
  public var cornerRadius: CGFloat = 0
}

public final class UIColor: NSObject, @unchecked Sendable {
  public static var white: UIColor { UIColor(red: 1, green: 1, blue: 1, alpha: 1) }
  public static var systemRed: UIColor { UIColor(red: 1, green: 0, blue: 0, alpha: 1) }
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {}
}

public final class UIFont: NSObject, @unchecked Sendable {
  public struct Weight: Sendable { public static let medium = Weight() }
  public static func systemFont(ofSize size: CGFloat) -> UIFont { UIFont() }
  public static func systemFont(ofSize size: CGFloat, weight: Weight) -> UIFont { UIFont() }
  public static func boldSystemFont(ofSize size: CGFloat) -> UIFont { UIFont() }
}

public final class UIImage: NSObject, @unchecked Sendable {
  public init?(contentsOfFile path: String) { nil }
}

@MainActor public final class UIScreen: NSObject {
  public static let main = UIScreen()
  public var scale: CGFloat { 1 }
  public var bounds: CGRect { CGRect() }
}

public enum UIUserInterfaceIdiom: Sendable { case phone, pad }

@MainActor public final class UIDevice: NSObject {
  public static let current = UIDevice()
  public var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
}
