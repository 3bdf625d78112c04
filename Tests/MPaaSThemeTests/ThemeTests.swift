import MPaaSTheme
import Testing

@Suite("A theme") struct ThemeTests {}
