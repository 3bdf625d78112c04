/// The Objective-C that generated implementations stand on: functions of the file, so that several files do not collide.
enum ObjectiveCModelSupport {
  static func source(domain: String) -> String {
    (base.replacing("@DOMAIN@", with: domain) + scalars + containers + members)
      .replacing("\nstatic ", with: "\n__attribute__((unused)) static ")
  }

  private static let base = """
    // What reading and writing stand on. NSNumber, NSString, NSArray, NSDictionary and NSNull are JSON as
    // NSJSONSerialization has it.

    typedef id (*Reader)(id json, NSString *path, NSError **error);

    typedef NS_OPTIONS(NSUInteger, Kind) {
        KindNull = 1 << 0,
        KindBoolean = 1 << 1,
        KindInteger = 1 << 2,
        KindNumber = 1 << 3,
        KindString = 1 << 4,
        KindArray = 1 << 5,
        KindObject = 1 << 6,
    };

    static id Fail(NSError **error, NSString *path, NSString *message) {
        if (error) {
            NSString *pointer = path.length ? path : @"/";
            NSString *text = [NSString stringWithFormat:@"%@: %@", pointer, message];
            NSDictionary *information = @{NSLocalizedDescriptionKey: text, @"path": pointer};
            *error = [NSError errorWithDomain:@DOMAIN@ code:1 userInfo:information];
        }
        return nil;
    }

    /// The path of a member or an element, as a JSON pointer has it.
    static NSString *Below(NSString *path, NSString *name) {
        NSString *step = [name stringByReplacingOccurrencesOfString:@"~" withString:@"~0"];
        step = [step stringByReplacingOccurrencesOfString:@"/" withString:@"~1"];
        return [path stringByAppendingFormat:@"/%@", step];
    }

    static Kind KindOf(id json) {
        if (json == nil || [json isKindOfClass:[NSNull class]]) return KindNull;
        if ([json isKindOfClass:[NSString class]]) return KindString;
        if ([json isKindOfClass:[NSArray class]]) return KindArray;
        if ([json isKindOfClass:[NSDictionary class]]) return KindObject;
        if (![json isKindOfClass:[NSNumber class]]) return 0;
        if ([json isKindOfClass:[@(YES) class]]) return KindBoolean;
        double value = [json doubleValue];
        return value == (double)(long long)value || value > 9.0e18 || value < -9.0e18 ? KindInteger : KindNumber;
    }

    /// An integer is a number too.
    static BOOL IsOfKind(id json, Kind kinds) {
        Kind kind = KindOf(json);
        return (kind & kinds) != 0 || (kind == KindInteger && (kinds & KindNumber));
    }

    /// Models as JSON, wherever they are; nil as null.
    static id ToJSON(id value) {
        if (value == nil) return [NSNull null];
        if ([value isKindOfClass:[NSArray class]]) {
            NSMutableArray *elements = [NSMutableArray array];
            for (id element in value) [elements addObject:ToJSON(element)];
            return elements;
        }
        if ([value isKindOfClass:[NSDictionary class]]) {
            NSMutableDictionary *members = [NSMutableDictionary dictionary];
            for (NSString *name in value) [members setObject:ToJSON([value objectForKey:name]) forKey:name];
            return members;
        }
        return [value respondsToSelector:@selector(JSONObject)] ? [value JSONObject] : value;
    }

    """

  private static let scalars = """

    static id ReadAny(id json, NSString *path, NSError **error) {
        return json ? json : Fail(error, path, @"is missing");
    }

    static id ReadNull(id json, NSString *path, NSError **error) {
        return IsOfKind(json, KindNull) ? [NSNull null] : Fail(error, path, @"must be null");
    }

    static id ReadBoolean(id json, NSString *path, NSError **error) {
        return IsOfKind(json, KindBoolean) ? json : Fail(error, path, @"must be a boolean");
    }

    static id ReadInteger(id json, NSString *path, NSError **error) {
        return IsOfKind(json, KindInteger) ? json : Fail(error, path, @"must be an integer");
    }

    static id ReadNumber(id json, NSString *path, NSError **error) {
        return IsOfKind(json, KindNumber) ? json : Fail(error, path, @"must be a number");
    }

    static id ReadString(id json, NSString *path, NSError **error) {
        return IsOfKind(json, KindString) ? json : Fail(error, path, @"must be a string");
    }

    static id ReadConstant(id json, NSString *path, NSArray *values, NSError **error) {
        for (id value in values) {
            if (KindOf(value) == KindOf(json) && [value isEqual:json]) return value;
        }
        return Fail(error, path, @"is not one of the permitted values");
    }

    static BOOL ReadObject(id json, NSString *path, NSError **error) {
        if (IsOfKind(json, KindObject)) return YES;
        Fail(error, path, @"must be an object");
        return NO;
    }

    """

  private static let containers = """

    static id ReadArray(id json, NSString *path, Reader reader, NSError **error) {
        if (!IsOfKind(json, KindArray)) return Fail(error, path, @"must be an array");
        NSMutableArray *values = [NSMutableArray array];
        for (id element in json) {
            NSString *place = [NSString stringWithFormat:@"%lu", (unsigned long)values.count];
            id value = reader(element, Below(path, place), error);
            if (value == nil) return nil;
            [values addObject:value];
        }
        return values;
    }

    static id ReadMap(id json, NSString *path, Reader reader, NSError **error) {
        if (!ReadObject(json, path, error)) return nil;
        NSMutableDictionary *values = [NSMutableDictionary dictionary];
        for (NSString *name in json) {
            id value = reader([json objectForKey:name], Below(path, name), error);
            if (value == nil) return nil;
            [values setObject:value forKey:name];
        }
        return values;
    }

    static id ReadNullOr(id json, NSString *path, Reader reader, NSError **error) {
        return IsOfKind(json, KindNull) ? [NSNull null] : reader(json, path, error);
    }

    static id ReadTuple(
        id json, NSString *path, Reader const *readers, NSUInteger count, NSUInteger least, Reader rest, NSError **error) {
        if (!IsOfKind(json, KindArray)) return Fail(error, path, @"must be an array");
        if ([json count] < least) return Fail(error, path, @"has too few elements");
        NSMutableArray *values = [NSMutableArray array];
        for (id element in json) {
            NSString *place = Below(path, [NSString stringWithFormat:@"%lu", (unsigned long)values.count]);
            Reader reader = values.count < count ? readers[values.count] : rest;
            id value = reader ? reader(element, place, error) : Fail(error, place, @"is not permitted");
            if (value == nil) return nil;
            [values addObject:value];
        }
        return values;
    }

    """

  private static let members = """

    /// A member that is always there.
    static BOOL Required(NSDictionary *members, NSString *name, NSString *path, Reader reader, id *value, NSError **error) {
        id json = [members objectForKey:name];
        if (json == nil) {
            Fail(error, path, [NSString stringWithFormat:@"must have a member \\"%@\\"", name]);
            return NO;
        }
        return (*value = reader(json, Below(path, name), error)) != nil;
    }

    /// A member that is always there and may be null.
    static BOOL RequiredOrNull(NSDictionary *members, NSString *name, NSString *path, Reader reader, id *value, NSError **error) {
        if ([[members objectForKey:name] isKindOfClass:[NSNull class]]) return YES;
        return Required(members, name, path, reader, value, error);
    }

    /// A member that may be missing.
    static BOOL Optional(NSDictionary *members, NSString *name, NSString *path, Reader reader, id *value, NSError **error) {
        return [members objectForKey:name] == nil || Required(members, name, path, reader, value, error);
    }

    /// A member that may be missing or null.
    static BOOL Nullable(NSDictionary *members, NSString *name, NSString *path, Reader reader, id *value, NSError **error) {
        return [members objectForKey:name] == nil || RequiredOrNull(members, name, path, reader, value, error);
    }

    static NSSet *NullMembers(NSDictionary *members, NSArray *names) {
        NSMutableSet *found = [NSMutableSet set];
        for (NSString *name in names) {
            if ([[members objectForKey:name] isKindOfClass:[NSNull class]]) [found addObject:name];
        }
        return found;
    }

    /// The members that have no property of their own.
    static NSDictionary *ReadRest(NSDictionary *members, NSArray *known, NSString *path, Reader reader, NSError **error) {
        NSMutableDictionary *rest = [members mutableCopy];
        [rest removeObjectsForKeys:known];
        return ReadMap(rest, path, reader, error);
    }

    """
}
