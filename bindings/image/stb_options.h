#pragma once
// What of stb_image is compiled.

#define STBI_ONLY_JPEG
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_NO_SIMD
// One instance decodes in one thread.
#define STBI_NO_THREAD_LOCALS
// Broken input gets an error, never an assertion's end.
#define STBI_ASSERT(condition) ((void)0)
