// The functions of the header are Swift's: MPaaSHotpatch gives them their names.
#include "hotpatch_client.h"
