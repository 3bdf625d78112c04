import MPaaSSupport

/// The fields of a record in a minidump, in their order; records have no gaps.
///
/// - Source: Microsoft, `minidumpapiset.h`; Breakpad, `src/google_breakpad/common/minidump_format.h`; Crashpad,
///   `minidump/minidump_extensions.h`.
struct MinidumpLayout: Sendable {
  enum Kind: Sendable {
    case u8, u16, u32, u64, i32
    /// So many numbers of 64 bits.
    case numbers(Int)
    /// So many UTF-16 units, up to a NUL.
    case text(Int)
    /// So many bytes without a meaning of their own.
    case bytes(Int)
    case guid
    /// The location of other data: size and offset.
    case location
    /// The offset of a UTF-16 string.
    case name
    /// The same with 64 bits.
    case name64
    /// The offset of a UTF-8 string.
    case utf8
  }

  let fields: [(String, Kind)]
  /// Bytes.
  let size: Int

  init(_ fields: [(String, Kind)]) {
    self.fields = fields
    size = fields.reduce(0) { $0 + Self.size($1.1) }
  }

  static func size(_ kind: Kind) -> Int {
    switch kind {
    case .u8: 1
    case .u16: 2
    case .u32, .i32, .name, .utf8: 4
    case .u64, .location, .name64: 8
    case .guid: 16
    case .numbers(let count): 8 * count
    case .text(let count): 2 * count
    case .bytes(let count): count
    }
  }
}

extension MinidumpLayout {
  static let header = MinidumpLayout([
    ("signature", .u32), ("version", .u32), ("stream_count", .u32), ("stream_directory_rva", .u32), ("checksum", .u32),
    ("time_date_stamp", .u32), ("flags", .u64),
  ])

  static let systemInfo = MinidumpLayout([
    ("processor_architecture", .u16), ("processor_level", .u16), ("processor_revision", .u16),
    ("number_of_processors", .u8), ("product_type", .u8), ("major_version", .u32), ("minor_version", .u32),
    ("build_number", .u32), ("platform_id", .u32), ("csd_version", .name), ("suite_mask", .u16), ("reserved2", .u16),
    ("cpu", .bytes(24)),
  ])

  /// All five versions: the later ones only add.
  static let miscInfo = MinidumpLayout([
    ("size_of_info", .u32), ("flags1", .u32), ("process_id", .u32), ("process_create_time", .u32),
    ("process_user_time", .u32), ("process_kernel_time", .u32),
    ("processor_max_mhz", .u32), ("processor_current_mhz", .u32), ("processor_mhz_limit", .u32),
    ("processor_max_idle_state", .u32), ("processor_current_idle_state", .u32),
    ("process_integrity_level", .u32), ("process_execute_flags", .u32), ("protected_process", .u32),
    ("time_zone_id", .u32), ("time_zone_bias", .i32), ("standard_name", .text(32)), ("standard_date", .bytes(16)),
    ("standard_bias", .i32), ("daylight_name", .text(32)), ("daylight_date", .bytes(16)), ("daylight_bias", .i32),
    ("build_string", .text(260)), ("dbg_bld_str", .text(40)),
    ("xstate_size", .u32), ("xstate_context_size", .u32), ("xstate_enabled_features", .u64),
    ("xstate_features", .bytes(512)), ("process_cookie", .u32),
  ])

  static let exception = MinidumpLayout([
    ("thread_id", .u32), ("alignment", .u32), ("exception_code", .u32), ("exception_flags", .u32),
    ("exception_record", .u64), ("exception_address", .u64), ("number_parameters", .u32), ("alignment2", .u32),
    ("exception_information", .numbers(15)), ("thread_context", .location),
  ])

  static let thread = MinidumpLayout([
    ("thread_id", .u32), ("suspend_count", .u32), ("priority_class", .u32), ("priority", .u32), ("teb", .u64),
    ("stack_start", .u64), ("stack", .location), ("thread_context", .location),
  ])

  static let threadName = MinidumpLayout([("thread_id", .u32), ("thread_name", .name64)])

  static let threadInfo = MinidumpLayout([
    ("thread_id", .u32), ("dump_flags", .u32), ("dump_error", .u32), ("exit_status", .u32), ("create_time", .u64),
    ("exit_time", .u64), ("kernel_time", .u64), ("user_time", .u64), ("start_address", .u64), ("affinity", .u64),
  ])

  static let module = MinidumpLayout([
    ("base_of_image", .u64), ("size_of_image", .u32), ("checksum", .u32), ("time_date_stamp", .u32),
    ("module_name", .name), ("version_signature", .u32), ("struct_version", .u32), ("file_version_hi", .u32),
    ("file_version_lo", .u32), ("product_version_hi", .u32), ("product_version_lo", .u32), ("file_flags_mask", .u32),
    ("file_flags", .u32), ("file_os", .u32), ("file_type", .u32), ("file_subtype", .u32), ("file_date_hi", .u32),
    ("file_date_lo", .u32), ("cv_record", .location), ("misc_record", .location), ("reserved0", .u64),
    ("reserved1", .u64),
  ])

  static let unloadedModule = MinidumpLayout([
    ("base_of_image", .u64), ("size_of_image", .u32), ("checksum", .u32), ("time_date_stamp", .u32),
    ("module_name", .name),
  ])

  static let memory = MinidumpLayout([("start", .u64), ("memory", .location)])

  static let memory64 = MinidumpLayout([("start", .u64), ("size", .u64)])

  static let memoryInfo = MinidumpLayout([
    ("base_address", .u64), ("allocation_base", .u64), ("allocation_protection", .u32), ("alignment1", .u32),
    ("region_size", .u64), ("state", .u32), ("protection", .u32), ("type", .u32), ("alignment2", .u32),
  ])

  static let handle = MinidumpLayout([
    ("handle", .u64), ("type_name", .name), ("object_name", .name), ("attributes", .u32), ("granted_access", .u32),
    ("handle_count", .u32), ("pointer_count", .u32), ("object_info_rva", .u32), ("reserved0", .u32),
  ])

  static let breakpadInfo = MinidumpLayout([
    ("validity", .u32), ("dump_thread_id", .u32), ("requesting_thread_id", .u32),
  ])

  static let assertion = MinidumpLayout([
    ("expression", .text(128)), ("function", .text(128)), ("file", .text(128)), ("line", .u32), ("type", .u32),
  ])

  static let crashpad = MinidumpLayout([
    ("version", .u32), ("report_id", .guid), ("client_id", .guid), ("simple_annotations", .location),
    ("module_list", .location), ("reserved", .u32), ("address_mask", .u64),
  ])

  static let crashpadLink = MinidumpLayout([("module_index", .u32), ("location", .location)])

  static let crashpadModule = MinidumpLayout([
    ("version", .u32), ("list_annotations", .location), ("simple_annotations", .location),
    ("annotation_objects", .location),
  ])

  static let crashpadPair = MinidumpLayout([("key", .utf8), ("value", .utf8)])

  static let crashpadName = MinidumpLayout([("text", .utf8)])

  static let crashpadObject = MinidumpLayout([("name", .utf8), ("type", .u16), ("reserved", .u16), ("value_rva", .u32)])

  static let dsoDebug32 = MinidumpLayout([
    ("version", .u32), ("map", .u32), ("dso_count", .u32), ("brk", .u32), ("ldbase", .u32), ("dynamic", .u32),
  ])

  static let dsoDebug64 = MinidumpLayout([
    ("version", .u32), ("map", .u32), ("dso_count", .u32), ("brk", .u64), ("ldbase", .u64), ("dynamic", .u64),
  ])

  /// The layout of writers that let the compiler align the fields.
  static let dsoDebugAligned = MinidumpLayout([
    ("version", .u32), ("map", .u32), ("dso_count", .u32), ("alignment", .u32), ("brk", .u64), ("ldbase", .u64),
    ("dynamic", .u64),
  ])

  static let linkMapAligned = MinidumpLayout([("addr", .u64), ("name", .name), ("alignment", .u32), ("ld", .u64)])

  static let linkMap32 = MinidumpLayout([("addr", .u32), ("name", .name), ("ld", .u32)])

  static let linkMap64 = MinidumpLayout([("addr", .u64), ("name", .name), ("ld", .u64)])
}
