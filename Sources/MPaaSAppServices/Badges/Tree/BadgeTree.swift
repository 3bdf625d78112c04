/// The badges of an app.
///
/// It stands for `MPBadgeManager`.
///
/// Badges are leaves of a tree whose paths name widgets; a widget that has others below it shows the sum of their
/// numbers. Widgets register, are told of what is new to them once in a turn of the main actor, and are not kept alive.
///
/// ```swift
/// let tree = BadgeTree(configuration, cacheFolder: caches + "/badges")
/// tree.register(tabBadge)
/// await tree.refreshAfterLogin("2088001")  // what is kept of the user is shown
/// tree.updateRemote(try BadgeInfo.list(payload: bytes))
/// tree.tap(widgetID: "orders-unpaid")
/// ```
@MainActor
public final class BadgeTree {
  /// The functions of the app: `setBadgeServiceConfig:`.
  public var configuration: BadgeServiceConfiguration
  /// The ticket of work for the user whose badges are shown.
  public internal(set) var ticket = UserTicket(userID: nil)
  var forest = BadgeForest()
  /// The paths of badges that only this device knows; they are neither kept nor reported.
  var localPaths: Set<String> = []
  /// The version of the kit's own server that the remote badges are; nil where they came otherwise.
  var remoteVersion: String?
  /// Widgets whose taps the server does not know of yet, in order.
  var pending: [String] = []
  /// Those of them that the server is being told of.
  var sending: [String] = []
  /// The last report of taps.
  var reporting: Task<Void, Never>?
  let cache: BadgeCache?
  /// The last write or read of the cache, which the next one waits for.
  var disk: Task<Void, Never>?
  private var views: [ObjectIdentifier: RegisteredWidget] = [:]
  private var isRefreshing = false

  private struct RegisteredWidget {
    weak var widget: (any BadgeWidget)?
    var shownFor: String
    var shown: BadgeValue
  }

  /// Creates a tree without badges.
  ///
  /// - Parameters:
  ///   - configuration: The settings of the badges.
  ///   - cacheFolder: The folder for one file for each user; nil keeps nothing.
  public init(_ configuration: BadgeServiceConfiguration, cacheFolder: String? = nil) {
    self.configuration = configuration
    cache = cacheFolder.map(BadgeCache.init(folder:))
  }

  /// The user whose badges are shown; nil for none.
  public var userID: String? { ticket.userID }

  // MARK: - Widgets

  /// Shows the badges of a widget from now on, the present ones at once: `registerBadgeView:`.
  ///
  /// A view that is registered already is told anew; cells do so when they are used again with another widget.
  public func register(_ widget: any BadgeWidget) {
    let value = value(of: widget)
    views[ObjectIdentifier(widget)] = RegisteredWidget(widget: widget, shownFor: widget.widgetID, shown: value)
    widget.show(value)
  }

  /// Tells a widget nothing any more: `unregisterBadgeView:`.
  public func unregister(_ widget: any BadgeWidget) { views[ObjectIdentifier(widget)] = nil }

  /// The number of widgets that are registered and alive.
  public var registeredCount: Int { views.values.count { $0.widget != nil } }

  /// Clears the badge of a widget that has no others below it; other widgets stay as they are: `tapBadgeView:`.
  public func tap(_ widget: any BadgeWidget) { tap(widgetID: widget.widgetID) }

  /// Clears the badge of a widget by its ID: `tapBadgeViewWithWidgetId:`.
  ///
  /// Numbers that persist stay. What the server sent is acknowledged; taps that it could not be told of are told later.
  public func tap(widgetID: String) {
    guard !forest.isBranch(widgetID) else { return }
    var (isCleared, isRemote) = (false, false)
    for slot in forest.slots(widget: widgetID) where forest.clearTemporary(slot) {
      isCleared = true
      if !localPaths.contains(forest.badges[slot].badgeID) { isRemote = true }
    }
    guard isCleared else { return }
    if isRemote {
      if !pending.contains(widgetID) { pending.append(widgetID) }
      save()
      deliver()
    }
    setNeedsRefresh()
  }

  // MARK: - Information

  /// The badge of a path; nil where there is none: `badgeInfoWithBadgeId:`.
  public func badgeInfo(_ badgeID: String) -> BadgeInfo? { forest.badge(badgeID) }

  /// The sum of a business's badges: of those that name it, and of those below a widget `#business#…`:
  /// `badgeCountWithBizId:`.
  public func count(businessID: String) -> Int { forest.totals(business: businessID).sum(.all) }

  /// The sum of the badges on whose paths a widget stands: `badgeCountWithWidgetId:`.
  public func count(widgetID: String, _ calculation: BadgeCalculation = .all) -> Int {
    forest.totals(widget: widgetID).sum(calculation)
  }

  /// The sign that a widget shows.
  public func value(widgetID: String, _ calculation: BadgeCalculation = .all) -> BadgeValue {
    forest.value(widget: widgetID, calculation)
  }

  private func value(of widget: any BadgeWidget) -> BadgeValue { value(widgetID: widget.widgetID, widget.calculation) }

  // MARK: - Refreshing

  /// Has the widgets told in a later turn, once for all changes of this one.
  func setNeedsRefresh() {
    guard !isRefreshing else { return }
    isRefreshing = true
    Task { [weak self] in self?.refresh() }
  }

  /// Tells the widgets at once what is new to them.
  public func refresh() {
    isRefreshing = false
    for (key, view) in views {
      guard let widget = view.widget else {
        views[key] = nil
        continue
      }
      let (id, value) = (widget.widgetID, value(of: widget))
      guard value != view.shown || id != view.shownFor else { continue }
      // Before it is told: it may take itself out, or register anew.
      views[key]?.shown = value
      views[key]?.shownFor = id
      widget.show(value)
    }
  }
}
