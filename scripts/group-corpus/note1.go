//go:build !second

package main

func note(text string) { sink = len(text) }
