/// The bandwidth that the connections of a proxy share.
package final class SharedBucket: Sendable {
  package init() {}
}
