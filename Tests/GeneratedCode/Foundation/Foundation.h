// As much of Foundation as generated models name, so that clang can check them on machines that have no Foundation.
#pragma once
#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define FOUNDATION_EXPORT extern
#define NS_ENUM(type, name) enum name : type name; enum name : type
#define NS_OPTIONS(type, name) enum name : type name; enum __attribute__((flag_enum)) name : type
typedef signed char BOOL;
#define YES __objc_yes
#define NO __objc_no
#define LLONG_MIN (-9223372036854775807LL - 1)
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#define NULL ((void *)0)
#define nil ((id)0)

NS_ASSUME_NONNULL_BEGIN

typedef struct {
  unsigned long state;
  id __unsafe_unretained _Nullable *_Nullable itemsPtr;
  unsigned long *_Nullable mutationsPtr;
  unsigned long extra[5];
} NSFastEnumerationState;

@class NSString;
__attribute__((objc_root_class)) @interface NSObject
+ (instancetype)alloc;
+ (Class)class;
- (Class)class;
- (instancetype)init;
- (BOOL)isEqual:(nullable id)object;
- (BOOL)isKindOfClass:(Class)type;
- (BOOL)respondsToSelector:(SEL)selector;
- (id)mutableCopy;
@property (readonly, copy) NSString *description;
@property (readonly) NSUInteger hash;
@end

@interface NSString : NSObject
@property (readonly) NSUInteger length;
+ (instancetype)stringWithFormat:(NSString *)format, ...;
- (NSString *)stringByAppendingFormat:(NSString *)format, ...;
- (NSString *)stringByReplacingOccurrencesOfString:(NSString *)text withString:(NSString *)other;
@end

@interface NSNumber : NSObject
@property (readonly) BOOL boolValue;
@property (readonly) int intValue;
@property (readonly) NSInteger integerValue;
@property (readonly) long long longLongValue;
@property (readonly) unsigned long long unsignedLongLongValue;
@property (readonly) double doubleValue;
+ (NSNumber *)numberWithBool:(BOOL)value;
+ (NSNumber *)numberWithInt:(int)value;
+ (NSNumber *)numberWithLong:(long)value;
+ (NSNumber *)numberWithInteger:(NSInteger)value;
+ (NSNumber *)numberWithLongLong:(long long)value;
+ (NSNumber *)numberWithUnsignedLongLong:(unsigned long long)value;
+ (NSNumber *)numberWithDouble:(double)value;
@end

@interface NSNull : NSObject
+ (NSNull *)null;
@end

@interface NSArray<__covariant Element> : NSObject
@property (readonly) NSUInteger count;
+ (instancetype)arrayWithObjects:(const id _Nonnull __unsafe_unretained[_Nullable])objects count:(NSUInteger)count;
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(id __unsafe_unretained _Nullable[_Nonnull])buffer
                                    count:(NSUInteger)length;
@end
@interface NSMutableArray<Element> : NSArray <Element>
+ (instancetype)array;
- (void)addObject:(Element)object;
@end

@interface NSSet<__covariant Element> : NSObject
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(id __unsafe_unretained _Nullable[_Nonnull])buffer
                                    count:(NSUInteger)length;
@end
@interface NSMutableSet<Element> : NSSet <Element>
+ (instancetype)set;
- (void)addObject:(Element)object;
@end

@interface NSDictionary<__covariant Key, __covariant Value> : NSObject
+ (instancetype)dictionaryWithObjects:(const id _Nonnull __unsafe_unretained[_Nullable])objects
                              forKeys:(const id _Nonnull __unsafe_unretained[_Nullable])keys
                                count:(NSUInteger)count;
- (nullable Value)objectForKey:(Key)key;
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(id __unsafe_unretained _Nullable[_Nonnull])buffer
                                    count:(NSUInteger)length;
@end
@interface NSMutableDictionary<Key, Value> : NSDictionary <Key, Value>
+ (instancetype)dictionary;
- (void)setObject:(Value)object forKey:(Key)key;
- (void)addEntriesFromDictionary:(NSDictionary<Key, Value> *)other;
- (void)removeObjectsForKeys:(NSArray<Key> *)keys;
@end

extern NSString *const NSLocalizedDescriptionKey;
@interface NSError : NSObject
+ (instancetype)errorWithDomain:(NSString *)domain code:(NSInteger)code userInfo:(nullable NSDictionary *)information;
@end

NS_ASSUME_NONNULL_END
