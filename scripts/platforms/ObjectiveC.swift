// Stands for Apple's module in scripts/check-platforms, which leaves the attributes of Objective-C out.
