// An import of `MPaaSSupport` brings the base, too: it is a module of its own for what must be small, as the crash
// reporter in apps.
@_exported public import MPaaSBase
