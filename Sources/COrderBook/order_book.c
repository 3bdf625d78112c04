#include "order_book.h"
