/// The functions and classes of Apple's systems that an app must say a word about.
enum SystemCalls {
  /// The texts of which an app needs one, by a class that it uses.
  ///
  /// Source: "Requesting access to protected resources".
  static let usages: [(name: String, keys: [String])] = [
    ("_OBJC_CLASS_$_ATTrackingManager", ["NSUserTrackingUsageDescription"]),
    ("_OBJC_CLASS_$_AVAudioRecorder", ["NSMicrophoneUsageDescription"]),
    ("_OBJC_CLASS_$_AVCaptureDevice", ["NSCameraUsageDescription", "NSMicrophoneUsageDescription"]),
    (
      "_OBJC_CLASS_$_CBCentralManager", ["NSBluetoothAlwaysUsageDescription", "NSBluetoothPeripheralUsageDescription"]
    ),
    ("_OBJC_CLASS_$_CBPeripheralManager", ["NSBluetoothAlwaysUsageDescription"]),
    (
      "_OBJC_CLASS_$_CLLocationManager",
      [
        "NSLocationAlwaysAndWhenInUseUsageDescription", "NSLocationWhenInUseUsageDescription",
        "NSLocationAlwaysUsageDescription", "NSLocationUsageDescription",
      ]
    ),
    ("_OBJC_CLASS_$_CMMotionActivityManager", ["NSMotionUsageDescription"]),
    ("_OBJC_CLASS_$_CMPedometer", ["NSMotionUsageDescription"]),
    ("_OBJC_CLASS_$_CNContactStore", ["NSContactsUsageDescription"]),
    (
      "_OBJC_CLASS_$_EKEventStore",
      [
        "NSCalendarsUsageDescription", "NSCalendarsFullAccessUsageDescription",
        "NSCalendarsWriteOnlyAccessUsageDescription", "NSRemindersUsageDescription",
        "NSRemindersFullAccessUsageDescription",
      ]
    ),
    ("_OBJC_CLASS_$_HKHealthStore", ["NSHealthShareUsageDescription", "NSHealthUpdateUsageDescription"]),
    ("_OBJC_CLASS_$_HMHomeManager", ["NSHomeKitUsageDescription"]),
    ("_OBJC_CLASS_$_INPreferences", ["NSSiriUsageDescription"]),
    ("_OBJC_CLASS_$_LAContext", ["NSFaceIDUsageDescription"]),
    ("_OBJC_CLASS_$_MPMediaLibrary", ["NSAppleMusicUsageDescription"]),
    ("_OBJC_CLASS_$_NFCNDEFReaderSession", ["NFCReaderUsageDescription"]),
    ("_OBJC_CLASS_$_PHPhotoLibrary", ["NSPhotoLibraryUsageDescription", "NSPhotoLibraryAddUsageDescription"]),
    ("_OBJC_CLASS_$_SFSpeechRecognizer", ["NSSpeechRecognitionUsageDescription"]),
  ]

  private static let classes = Set(usages.map(\.name))

  /// Tells whether a name is of either table.
  static func isWanted(_ name: String) -> Bool { classes.contains(name) || reasons[name] != nil }

  /// The names that need a reason in a privacy manifest, with their category.
  ///
  /// Source: "Describing use of required reason API". `activeInputModes` is a message, which no import tells.
  static let reasons: [String: String] = [
    "_stat": "FileTimestamp", "_fstat": "FileTimestamp", "_lstat": "FileTimestamp", "_fstatat": "FileTimestamp",
    "_stat$INODE64": "FileTimestamp", "_fstat$INODE64": "FileTimestamp", "_lstat$INODE64": "FileTimestamp",
    "_fstatat$INODE64": "FileTimestamp", "_getattrlist": "FileTimestamp", "_fgetattrlist": "FileTimestamp",
    "_getattrlistat": "FileTimestamp", "_getattrlistbulk": "FileTimestamp",
    "_NSURLContentModificationDateKey": "FileTimestamp", "_NSURLCreationDateKey": "FileTimestamp",
    "_NSFileCreationDate": "FileTimestamp", "_NSFileModificationDate": "FileTimestamp",
    "_mach_absolute_time": "SystemBootTime",
    "_statfs": "DiskSpace", "_statvfs": "DiskSpace", "_fstatfs": "DiskSpace", "_fstatvfs": "DiskSpace",
    "_statfs$INODE64": "DiskSpace", "_fstatfs$INODE64": "DiskSpace",
    "_NSURLVolumeAvailableCapacityKey": "DiskSpace", "_NSURLVolumeTotalCapacityKey": "DiskSpace",
    "_NSURLVolumeAvailableCapacityForImportantUsageKey": "DiskSpace",
    "_NSURLVolumeAvailableCapacityForOpportunisticUsageKey": "DiskSpace", "_NSFileSystemFreeSize": "DiskSpace",
    "_NSFileSystemSize": "DiskSpace",
    "_OBJC_CLASS_$_NSUserDefaults": "UserDefaults",
  ]
}
